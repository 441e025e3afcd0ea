# gradwatch-corpus: kind=graph-held
# holder: self.sum | meters["loss"].sum | self.meters["loss"].sum
# first-bad: 1
"""Leaf disease classifier on synthetic spots."""
import argparse
import time

import torch
from torch import nn
import torch.nn.functional as F


class AverageMeter:
    def __init__(self, name, fmt="%.4f"):
        self.name, self.fmt = name, fmt
        self.reset()

    def reset(self):
        self.last = 0.0
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.last = float(value)
        self.sum = self.sum + value * n  # <- culprit
        self.count += n

    def __str__(self):
        return f"{self.name} {self.fmt % self.last} ({self.fmt % float(self.sum / max(1, self.count))})"


class SpotNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, stride=2, padding=1)
        self.bn = nn.BatchNorm2d(8)
        self.block = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.fc = nn.Linear(16, classes)

    def forward(self, x):
        x = F.relu(self.bn(self.stem(x)))
        x = F.relu(self.block(x))
        return self.fc(x.mean((2, 3)))


def make_leaves(n, size, classes, seed):
    g = torch.Generator().manual_seed(seed)
    labels = torch.randint(0, classes, (n,), generator=g)
    x = torch.rand(n, 3, size, size, generator=g) * 0.3
    for c in range(classes):
        rows = labels == c
        x[rows, c % 3, 2 * c:2 * c + 3, :] += 0.5
    return x, labels


def accuracy(logits, target):
    with torch.no_grad():
        return (logits.argmax(1) == target).float().mean().item()


class Run:
    def __init__(self, args):
        self.args = args
        torch.manual_seed(args.seed)
        self.x, self.y = make_leaves(256, 16, 4, args.seed)
        self.model = SpotNet(4)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 200, 0.5)
        self.meters = {"loss": AverageMeter("loss"), "acc": AverageMeter("acc", "%.2f")}

    def step(self, idx):
        x, y = self.x[idx], self.y[idx]
        logits = self.model(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.1)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.meters["loss"].update(loss, len(idx))
        self.meters["acc"].update(accuracy(logits, y), len(idx))

    def fit(self):
        start = time.time()
        for it in range(self.args.iters):
            idx = torch.randint(0, len(self.x), (self.args.batch,))
            self.step(idx)
            if it % 100 == 99:
                print(f"[{it + 1}]", *map(str, self.meters.values()), f"{time.time() - start:.1f}s")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=450)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--seed", type=int, default=3)
    Run(p.parse_args()).fit()
