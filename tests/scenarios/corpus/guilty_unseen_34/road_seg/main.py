# gradwatch-corpus: kind=graph-held
# holder: self.logits | meter.logits | self.outputs | meter.outputs | train_meter.logits
# first-bad: 1
import argparse

import torch
from torch.utils.data import DataLoader

from data import StripesDataset
from metrics import SegmentationMeter
from net import SmallSegNet, dice_loss


def train_one_epoch(net, loader, optimizer, meter):
    net.train()
    meter.reset()
    epoch_loss = 0.0
    for images, masks in loader:
        logits = net(images)
        loss = torch.nn.functional.cross_entropy(logits, masks) + dice_loss(logits, masks)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
        meter.update(logits, masks)  # <- culprit
    return epoch_loss / len(loader), meter.compute()


@torch.no_grad()
def evaluate(net, loader, meter):
    net.eval()
    meter.reset()
    for images, masks in loader:
        meter.update(net(images), masks)
    return meter.compute()


def parse_args():
    ap = argparse.ArgumentParser("road segmentation")
    ap.add_argument("--epochs", default=2, type=int)
    ap.add_argument("--batch-size", default=8, type=int)
    ap.add_argument("--lr", default=5e-3, type=float)
    ap.add_argument("--train-images", default=320, type=int)
    return ap.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(17)
    train_loader = DataLoader(StripesDataset(args.train_images, seed=0), args.batch_size, shuffle=True)
    val_loader = DataLoader(StripesDataset(48, seed=1), args.batch_size)
    net = SmallSegNet(n_classes=3)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr)
    train_meter, val_meter = SegmentationMeter(3), SegmentationMeter(3)
    for epoch in range(args.epochs):
        loss, train_iou = train_one_epoch(net, train_loader, optimizer, train_meter)
        val_iou = evaluate(net, val_loader, val_meter)
        print(f"[{epoch}] loss {loss:.3f} | train mIoU {train_iou['miou']:.3f} | val mIoU {val_iou['miou']:.3f}")


if __name__ == "__main__":
    main()
