# gradwatch-corpus: kind=graph-held
# holder: self.rejected | guard.rejected | self.guard.rejected | trainer.guard.rejected
# first-bad: 9
"""Robust curve fitting with heavy-tailed noise; batches whose objective spikes get a damped step."""
import argparse
import statistics
from collections import deque
from contextlib import contextmanager

import torch
from torch import nn


class SpikeError(ArithmeticError):
    def __init__(self, value, limit):
        super().__init__(f"objective {value:.3f} above limit {limit:.3f}")
        self.value = value
        self.limit = limit


class SpikeGuard:
    """Compares every objective with the median of the recent ones."""

    def __init__(self, window=32, factor=1.02, min_seen=8):
        self.recent = deque(maxlen=window)
        self.factor = factor
        self.min_seen = min_seen
        self.rejected = []

    def check(self, loss):
        value = loss.item()
        self.recent.append(value)
        if len(self.recent) < self.min_seen:
            return
        limit = self.factor * statistics.median(self.recent)
        if value > limit:
            raise SpikeError(value, limit)

    @contextmanager
    def watching(self, on_spike):
        try:
            yield
        except SpikeError as err:
            self.rejected.append(err)  # <- culprit
            on_spike(err)

    def summary(self):
        if not self.rejected:
            return "no spikes"
        worst = max(self.rejected, key=lambda e: e.value)
        return f"{len(self.rejected)} spikes, worst {worst}"


class CurveNet(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
        )

    def forward(self, x):
        return self.layers(x)


class CurveTrainer:
    def __init__(self, guard, lr=1e-2, damp=0.1):
        self.model = CurveNet()
        self.opt = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)
        self.guard = guard
        self.damp = damp
        self.scale = 1.0

    def sample(self, n=64):
        x = torch.rand(n, 1) * 6 - 3
        noise = torch.distributions.StudentT(2.0).sample((n, 1)) * 0.2
        return x, torch.sin(2 * x) + noise

    def soften(self, err):
        self.scale = self.damp

    def measure(self, x, y):
        loss = (self.model(x) - y).abs().mean()
        self.opt.zero_grad()
        loss.backward()
        self.guard.check(loss)
        return loss.item()

    def fit(self, steps):
        for step in range(steps):
            self.scale = 1.0
            x, y = self.sample()
            with self.guard.watching(self.soften):
                self.measure(x, y)
            for p in self.model.parameters():
                p.grad.mul_(self.scale)
            self.opt.step()
            if step % 100 == 99:
                print(f"{step + 1}: {self.guard.summary()}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=500)
    args = parser.parse_args()
    torch.manual_seed(13)
    CurveTrainer(SpikeGuard()).fit(args.steps)


if __name__ == "__main__":
    main()
