# gradwatch-corpus: kind=graph-held
# holder: self.records | logbook.records
# first-bad: 1
import math
from dataclasses import dataclass

import torch
from torch import nn

torch.manual_seed(311)

HEIGHTS = torch.tensor([10.0, 40.0, 80.0, 120.0, 160.0, 200.0])
STEPS = 520


@dataclass
class Record:
    step: int
    rmse: torch.Tensor
    shear: torch.Tensor


class Logbook:
    """Recent fit records, for the profile report."""

    def __init__(self, keep=40):
        self.keep = keep
        self.records = []

    def write(self, step, rmse, shear):
        self.records.append(Record(step, rmse, shear))  # <- culprit
        recent = self.records[:]  # <- culprit
        if len(recent) > self.keep:
            del recent[: -self.keep]  # <- culprit
        return recent

    def summary(self):
        recent = self.records[-self.keep:]
        rmse = sum(r.rmse.item() for r in recent) / len(recent)
        shear = sum(r.shear.item() for r in recent) / len(recent)
        return f"{recent[-1].step:4d} rmse {rmse:.3f} shear {shear:+.3f}"


class ProfileNet(nn.Module):
    def __init__(self, inputs=5, hidden=32):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(inputs, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU()
        )
        self.friction = nn.Linear(hidden, 1)
        self.rough = nn.Linear(hidden, 1)
        self.bend = nn.Linear(hidden, len(HEIGHTS))

    def forward(self, surface):
        z = self.body(surface)
        u_star = nn.functional.softplus(self.friction(z))
        z0 = torch.exp(self.rough(z).clamp(-6, 1))
        base = u_star / 0.4 * torch.log(HEIGHTS / z0)
        return base + 0.1 * self.bend(z)


def sample(n, gen):
    surface = torch.randn(n, 5, generator=gen)
    u = 0.4 + 0.1 * surface[:, :1].abs()
    z0 = torch.exp(-2 + 0.5 * surface[:, 1:2])
    profile = u / 0.4 * torch.log(HEIGHTS / z0)
    profile = profile + 0.05 * torch.randn(n, len(HEIGHTS), generator=gen)
    return surface, profile


def main():
    gen = torch.Generator().manual_seed(5)
    net = ProfileNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, STEPS)
    logbook = Logbook()

    for step in range(STEPS):
        surface, profile = sample(48, gen)
        predicted = net(surface)
        mse = (predicted - profile).pow(2).mean()
        shear = (predicted[:, -1] - predicted[:, 0]).mean() / math.log(20.0)

        optimizer.zero_grad()
        mse.backward()
        optimizer.step()
        scheduler.step()

        recent = logbook.write(step, mse.sqrt(), shear)
        if step % 80 == 79:
            print(logbook.summary(), "over", len(recent))


if __name__ == "__main__":
    main()
