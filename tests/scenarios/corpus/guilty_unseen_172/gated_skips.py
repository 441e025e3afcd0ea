# gradwatch-corpus: kind=graph-held
# holder: self.skipped | trainer.skipped
# first-bad: 1
"""Robust curve fitting with guards: batches whose worst residual is over the limit fall back to a
Huber pass and are filed for the report at the end of the run."""
import collections

import torch
from torch import nn
from torch.nn import functional as F


class Outlier(Exception):
    def __init__(self, step, worst):
        super().__init__(f"step {step}: worst residual {worst:.2f}")
        self.step, self.worst = step, worst


class Sensor:
    """Drifting sensor whose readings have heavy tails."""

    def __init__(self, seed, n=32):
        self.g = torch.Generator().manual_seed(seed)
        self.n = n
        self.tail = torch.distributions.StudentT(1.5)

    def read(self):
        x = 4 * torch.rand(self.n, 3, generator=self.g) - 2
        y = torch.sin(2 * x[:, 0]) * x[:, 1] + 0.5 * x[:, 2]
        return x, y + 0.2 * self.tail.sample((self.n,))


class Curve(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class GuardedTrainer:
    def __init__(self, model, limit=1.5):
        self.model, self.limit = model, limit
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3)
        self.skipped = []
        self.step_no = 0

    def squared(self, x, y):
        residual = self.model(x) - y
        worst = residual.abs().max().item()
        if worst > self.limit:
            raise Outlier(self.step_no, worst)
        return residual.pow(2).mean()

    def robust(self, x, y):
        return F.huber_loss(self.model(x), y, delta=0.5)

    def step(self, x, y):
        try:
            loss = self.squared(x, y)
        except Outlier as err:
            self.skipped.append(err)  # <- culprit
            loss = self.robust(x, y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.step_no += 1
        return loss.item()

    def report(self):
        bins = collections.Counter(min(int(e.worst), 10) for e in self.skipped)
        return ", ".join(f"{k}+: {v}" for k, v in sorted(bins.items()))


def main(steps=700):
    torch.manual_seed(10)
    sensor, trainer = Sensor(10), GuardedTrainer(Curve())
    smooth = None
    for s in range(steps):
        value = trainer.step(*sensor.read())
        smooth = value if smooth is None else 0.98 * smooth + 0.02 * value
        if s % 100 == 0:
            print(f"{s} loss {smooth:.4f} filed {len(trainer.skipped)}")
    print(trainer.report())


if __name__ == "__main__":
    main()
