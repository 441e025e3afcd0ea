# gradwatch-corpus: kind=none
"""Regression on tabular sensor data; a sliding window of losses gates outlier batches."""
import math

import torch
from torch import nn

WINDOW = 48


class SlidingStats:
    """Mean and deviation over the last `size` values, without deque."""

    def __init__(self, size):
        self.size = size
        self.values = []
        self.seen = 0

    def push(self, value):
        self.seen += 1
        self.values.append(value)
        if len(self.values) > self.size:
            del self.values[: len(self.values) - self.size]

    @property
    def full(self):
        return len(self.values) == self.size

    def mean(self):
        return sum(float(v) for v in self.values) / max(1, len(self.values))

    def std(self):
        m = self.mean()
        var = sum((float(v) - m) ** 2 for v in self.values) / max(1, len(self.values) - 1)
        return math.sqrt(var)

    def zscore(self, value):
        return (float(value) - self.mean()) / (self.std() + 1e-8)


class SensorNet(nn.Module):
    def __init__(self, n_in, hidden=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


def batches(n, gen):
    w = torch.randn(14, generator=gen)
    for i in range(n):
        x = torch.randn(64, 14, generator=gen)
        y = torch.tanh(x @ w) + 0.1 * torch.randn(64, generator=gen)
        if torch.rand(1, generator=gen).item() < 0.04:
            y = y + 3.0 * torch.randn(64, generator=gen)
        yield x, y


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(5)
    net = SensorNet(14)
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    stats = SlidingStats(WINDOW)
    residuals = SlidingStats(WINDOW // 4)
    damped = 0
    for step, (x, y) in enumerate(batches(700, gen)):
        pred = net(x)
        res = pred - y
        loss = res.pow(2).mean()
        scale = 1.0
        if stats.full and stats.zscore(loss) > 3.0:
            scale = 0.1
            damped += 1
        opt.zero_grad()
        (scale * loss).backward()
        opt.step()
        stats.push(loss)
        residuals.push(res.abs().max())
        if step % 100 == 0:
            print(f"{step:4d} loss {stats.mean():.4f} +- {stats.std():.4f} worst {residuals.mean():.3f}")
    print("damped", damped, "seen", stats.seen)


if __name__ == "__main__":
    main()
