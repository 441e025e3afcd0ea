# gradwatch-corpus: kind=none
"""Defect detection with a leaderboard of the hardest crops."""
import argparse
import heapq
import itertools

import torch
import torch.nn as nn


class HardestCrops:
    """Keeps the crops with the largest loss."""

    def __init__(self, keep):
        self.keep = keep
        self.heap = []
        self.tie = itertools.count()

    def offer(self, crop_id, crop_loss):
        record = (crop_loss.item(), next(self.tie), crop_id, crop_loss)
        push = heapq.heappush if len(self.heap) < self.keep else heapq.heappushpop
        push(self.heap, record)

    def table(self, n=3):
        return [(crop, round(score, 3)) for score, _, crop, _ in heapq.nlargest(n, self.heap)]

    def floor(self):
        return self.heap[0][0] if self.heap else float("-inf")


def crops(n, gen):
    x = torch.randn(n, 1, 12, 12, generator=gen)
    y = torch.zeros(n)
    bad = torch.rand(n, generator=gen) < 0.3
    x[bad, :, 4:7, 4:7] += 2.5
    y[bad] = 1.0
    flip = torch.rand(n, generator=gen) < 0.03
    y[flip] = 1 - y[flip]
    return x, y


class Detector(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, width, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Linear(9 * width, 1)
        )

    def forward(self, x):
        return self.body(x).squeeze(1)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=450)
    p.add_argument("--keep", type=int, default=20)
    p.add_argument("--batch", type=int, default=8)
    p.add_argument("--width", type=int, default=6)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(3)
    x, y = crops(600, gen)
    model = Detector(args.width)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    criterion = nn.BCEWithLogitsLoss(reduction="none")
    board = HardestCrops(args.keep)
    for step in range(args.steps):
        idx = torch.randint(len(x), (args.batch,), generator=gen)
        per_crop = criterion(model(x[idx]), y[idx])
        loss = per_crop.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        worst = per_crop.argmax()
        board.offer(int(idx[worst]), per_crop[worst])
        if (step + 1) % 90 == 0:
            print(f"step {step + 1} loss {loss.item():.4f} floor {board.floor():.3f} top {board.table()}")


if __name__ == "__main__":
    main()
