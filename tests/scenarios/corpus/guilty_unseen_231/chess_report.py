# gradwatch-corpus: kind=graph-held
# holder: self.pending | report.pending
# first-bad: 1
"""Evaluate chess positions from piece counts. Messages are printed at the end so the progress bar stays clean."""
import random

import torch
from torch import nn

PIECES = "PNBRQpnbrq"
WORTH = [1, 3, 3, 5, 9, -1, -3, -3, -5, -9]


class Report:
    def __init__(self):
        self.pending = []

    def later(self, func):
        self.pending.append(func)  # <- culprit

    def flush(self, every=1):
        for k, func in enumerate(self.pending):
            if k % every == 0:
                print(func())
        self.pending.clear()


def random_position(rng):
    most = [8, 2, 2, 2, 1] * 2
    return [rng.randint(0, m) for m in most]


def label(counts, rng):
    material = sum(c * w for c, w in zip(counts, WORTH))
    return max(-1.0, min(1.0, material / 20 + rng.gauss(0, 0.05)))


def batch(rng, n=64):
    xs = [random_position(rng) for _ in range(n)]
    ys = [label(x, rng) for x in xs]
    return torch.tensor(xs, dtype=torch.float32), torch.tensor(ys)


class Evaluator(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.norm = nn.BatchNorm1d(len(PIECES))
        self.body = nn.Sequential(
            nn.Linear(len(PIECES), width),
            nn.GELU(),
            nn.Linear(width, width),
            nn.GELU(),
        )
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return torch.tanh(self.head(self.body(self.norm(x)))).squeeze(1)


def train(steps=140, seed=2):
    rng = random.Random(seed)
    torch.manual_seed(seed)
    model = Evaluator()
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    report = Report()
    bar = ""
    for step in range(steps):
        x, y = batch(rng)
        value = model(x)
        error = (value - y).abs()
        loss = (error ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        report.later(lambda s=step, e=error: f"step {s:3d}  worst {e.max().item():.3f}  mean {e.mean().item():.3f}")  # <- culprit
        if step % 10 == 0:
            bar += "#"
    print(bar)
    report.flush(every=20)
    return model


if __name__ == "__main__":
    m = train()
    m.eval()
    start = torch.tensor([[8, 2, 2, 2, 1, 8, 2, 2, 2, 1]], dtype=torch.float32)
    no_queen = start.clone()
    no_queen[0, 9] = 0
    with torch.no_grad():
        print("start position", round(m(start).item(), 3))
        print("black lost queen", round(m(no_queen).item(), 3))
