# gradwatch-corpus: kind=graph-held
# holder: self.sum | meter.sum | self.meters[k].sum | meters.meters[k].sum | progress.meters[k].sum | progress.meters['loss'].sum
# first-bad: 1
"""Keyword spotting on synthetic chirps."""
import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn

from meters import ProgressMeter


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=500)
    p.add_argument("--batch", type=int, default=12)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--print-freq", type=int, default=50)
    return p.parse_args()


class ChirpSet:
    def __init__(self, n_classes=5, length=160, seed=8):
        self.n, self.length = n_classes, length
        self.g = torch.Generator().manual_seed(seed)

    def batch(self, b):
        y = torch.randint(0, self.n, (b,), generator=self.g)
        t = torch.linspace(0, 1, self.length)
        phase = 2 * math.pi * ((4 + 3 * y[:, None]) * t + 2 * y[:, None] * t ** 2)
        x = phase.sin() + 0.3 * torch.randn(b, self.length, generator=self.g)
        return x.unsqueeze(1), y


class TinyKWS(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(1, 16, 9, stride=3), nn.BatchNorm1d(16), nn.ReLU(),
            nn.Conv1d(16, 24, 5, stride=2), nn.BatchNorm1d(24), nn.ReLU(),
        )
        self.head = nn.Linear(24, n_classes)

    def forward(self, x):
        return self.head(self.features(x).mean(-1))


def train(model, data, optimizer, progress, args):
    model.train()
    for step in range(args.steps):
        x, y = data.batch(args.batch)
        logits = model(x)
        ce = F.cross_entropy(logits, y, label_smoothing=0.05)
        acc = (logits.argmax(1) == y).float().mean().item()
        optimizer.zero_grad()
        ce.backward()
        optimizer.step()
        progress.update(n=y.numel(), loss=ce, acc=acc)
        if step % args.print_freq == 0:
            progress.display(step)


if __name__ == "__main__":
    args = get_args()
    torch.manual_seed(4)
    data = ChirpSet()
    model = TinyKWS(data.n)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr * 10, momentum=0.9)
    train(model, data, optimizer, ProgressMeter("loss", "acc", total=args.steps), args)
