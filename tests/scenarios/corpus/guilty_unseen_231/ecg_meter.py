# gradwatch-corpus: kind=graph-held
# holder: losses.sum | self.sum
# first-bad: 1
"""Heartbeat classification, training script in the style of the ImageNet example."""
import argparse
import time

import torch
import torch.nn as nn


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name, fmt=":f"):
        self.name = name
        self.fmt = fmt
        self.reset()

    def reset(self):
        self.val = 0
        self.avg = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = float(val)
        self.sum += val * n  # <- culprit
        self.count += n
        self.avg = float(self.sum) / self.count

    def __str__(self):
        fmtstr = "{name} {val" + self.fmt + "} ({avg" + self.fmt + "})"
        return fmtstr.format(**self.__dict__)


class BeatNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 8, 7, padding=3),
            nn.BatchNorm1d(8),
            nn.ReLU(inplace=True),
            nn.MaxPool1d(4),
            nn.Conv1d(8, 16, 5, padding=2),
            nn.BatchNorm1d(16),
            nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool1d(4),
        )
        self.classifier = nn.Linear(64, n_classes)

    def forward(self, x):
        x = self.features(x)
        return self.classifier(torch.flatten(x, 1))


def beats(n, g):
    y = torch.randint(0, 3, (n,), generator=g)
    t = torch.linspace(-1, 1, 180)
    width = 0.02 + 0.05 * y.float().unsqueeze(1)
    x = torch.exp(-(t / width) ** 2) + 0.15 * torch.randn(n, 180, generator=g)
    return x.unsqueeze(1), y


def accuracy(output, target):
    with torch.no_grad():
        return (output.argmax(1) == target).float().mean() * 100


def train(model, criterion, optimizer, args, g):
    batch_time = AverageMeter("Time", ":6.3f")
    losses = AverageMeter("Loss", ":.4f")
    top1 = AverageMeter("Acc@1", ":6.2f")
    model.train()
    end = time.time()
    for i in range(args.iters):
        x, y = beats(args.batch_size, g)
        output = model(x)
        loss = criterion(output, y)
        losses.update(loss, x.size(0))  # <- culprit
        top1.update(accuracy(output, y).item(), x.size(0))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        batch_time.update(time.time() - end)
        end = time.time()
        if i % args.print_freq == 0:
            print(f"[{i:3d}/{args.iters}]", losses, top1, batch_time)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iters", type=int, default=130)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--print-freq", type=int, default=30)
    parser.add_argument("--lr", type=float, default=0.05)
    args = parser.parse_args()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(7)
    model = BeatNet(3)
    optimizer = torch.optim.SGD(model.parameters(), args.lr, momentum=0.9, weight_decay=1e-4)
    train(model, nn.CrossEntropyLoss(), optimizer, args, g)


if __name__ == "__main__":
    main()
