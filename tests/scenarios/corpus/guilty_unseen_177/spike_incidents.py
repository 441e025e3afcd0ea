# gradwatch-corpus: kind=graph-held
# holder: self.incidents | guard.incidents
# first-bad: 4
"""Battery-capacity regression with a guard that damps batches whose loss is
not well below the recent mean."""
import math
from collections import deque

import torch
from torch import nn


class LossSpike(Exception):
    def __init__(self, it, loss, limit):
        super().__init__(f"it {it}: above {limit:.4f}")
        self.it = it
        self.loss = loss
        self.limit = limit


class Guard:
    def __init__(self, factor):
        self.factor = factor
        self.recent = deque(maxlen=10)
        self.incidents = []

    def limit(self):
        if len(self.recent) < 3:
            return math.inf
        return self.factor * sum(self.recent) / len(self.recent)

    def inspect(self, it, loss):
        value, limit = loss.item(), self.limit()
        self.recent.append(value)
        if value > limit:
            raise LossSpike(it, loss, limit)

    def report(self, err):
        self.incidents.append(err)  # <- culprit

    def share(self, it):
        return len(self.incidents) / (it + 1)


class Cells:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def batch(self, n):
        cycles = torch.rand(n, 1, generator=self.gen)
        temp = torch.randn(n, 1, generator=self.gen)
        rate = torch.rand(n, 1, generator=self.gen)
        fade = 1 - 0.3 * cycles ** 1.5 - 0.05 * temp.abs() * cycles - 0.1 * rate * cycles
        return torch.cat([cycles, temp, rate], 1), fade + 0.03 * torch.randn(n, 1, generator=self.gen)


def main(iterations=700):
    torch.manual_seed(37)
    cells = Cells(38)
    model = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    guard = Guard(factor=0.5)
    damped = 0
    for it in range(iterations):
        x, y = cells.batch(32)
        loss = nn.functional.huber_loss(model(x), y, delta=0.1)
        scale = 1.0
        try:
            guard.inspect(it, loss)
        except LossSpike as err:
            guard.report(err)
            scale = 0.5
            damped += 1
        opt.zero_grad()
        (scale * loss).backward()
        opt.step()
        if it % 100 == 99:
            print(f"{it + 1} loss {loss.item():.5f} spikes {guard.share(it):.2f} damped {damped}")
    for err in guard.incidents[-3:]:
        print(err, f"was {err.loss.item():.5f}")


if __name__ == "__main__":
    main()
