# gradwatch-corpus: kind=graph-held
# holder: self.sum | losses_m.sum | self.avg | losses_m.avg
# first-bad: 1
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from engine import train_one_epoch, validate

parser = argparse.ArgumentParser("ImageNet-ish training")
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--smoothing", type=float, default=0.1)
parser.add_argument("--log-interval", type=int, default=15)


def create_model(num_classes):
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(8), nn.SiLU(),
        nn.Conv2d(8, 16, 3, stride=2, padding=1, bias=False), nn.BatchNorm2d(16), nn.SiLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, num_classes),
    )


def main():
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(42)
    images = torch.randn(640, 3, 16, 16)
    targets = torch.randint(0, 10, (640,))
    images += targets.view(-1, 1, 1, 1) * 0.1
    loader_train = DataLoader(TensorDataset(images, targets), args.batch_size, shuffle=True, drop_last=True)
    loader_eval = DataLoader(TensorDataset(images[:64], targets[:64]), 32)
    model = create_model(10)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    train_loss_fn = nn.CrossEntropyLoss(label_smoothing=args.smoothing)
    for epoch in range(args.epochs):
        train_metrics = train_one_epoch(epoch, model, loader_train, optimizer, train_loss_fn, args)
        eval_metrics = validate(model, loader_eval, nn.CrossEntropyLoss())
        scheduler.step()
        print(f"*** epoch {epoch} train {train_metrics['loss']:.4f} top1 {eval_metrics['top1']:.2f}")


if __name__ == "__main__":
    main()
