# gradwatch-corpus: kind=graph-chain
# holder: self.temp | self.zones.temp | model.zones.temp | zones.temp | self.zones | model.zones | house.zones.temp | self.house.zones.temp | job.house.zones.temp
# first-bad: 1
"""Identify the heat gains of a six-zone office building from heating power; five-minute steps, one update per 25 minutes.

Master's thesis, chapter 4 (simulation part).
"""
from dataclasses import dataclass

import torch
from torch import nn

SUBSTEPS = 5
ZONES = 6


@dataclass
class ZoneState:
    """Estimated deviation from the set point, per zone."""
    temp: torch.Tensor
    minutes: int = 0

    def absorb(self, heat):
        self.temp = self.temp + heat  # <- culprit
        self.minutes += 5


class House(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.full((ZONES,), 0.2))
        self.loss_ = nn.Parameter(torch.full((ZONES,), 0.05))
        self.zones = ZoneState(torch.zeros(ZONES))

    def forward(self, power, outside):
        """power, outside: (SUBSTEPS, ZONES)"""
        for heat in self.gain * power - self.loss_ * outside:
            self.zones.absorb(heat)
        return self.zones.temp  # <- culprit


class Plant:
    """The 'real' building, which only shows its sensors."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.gain = 0.3 + 0.4 * torch.rand(ZONES, generator=self.gen)
        self.drain = 0.1 + 0.1 * torch.rand(ZONES, generator=self.gen)
        self.temp = torch.zeros(ZONES)

    def __call__(self):
        outside = 0.5 * torch.randn(SUBSTEPS, ZONES, generator=self.gen)
        power = 0.5 * torch.randn(SUBSTEPS, ZONES, generator=self.gen)
        for p, o in zip(power, outside):
            self.temp = self.temp + self.gain * p - self.drain * o
        noisy = self.temp + 0.02 * torch.randn(ZONES, generator=self.gen)
        return power, outside, noisy


class Identification:
    def __init__(self, house, plant, lr=2e-3):
        self.house, self.plant = house, plant
        self.optimizer = torch.optim.Adam(house.parameters(), lr=lr)

    def residual(self):
        power, outside, measured = self.plant()
        return self.house(power, outside) - measured

    def update(self):
        cost = self.residual().pow(2).mean()
        self.optimizer.zero_grad()
        cost.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        return cost.item()

    def gap(self):
        with torch.no_grad():
            return (self.house.gain - self.plant.gain).abs().mean().item()


def main(updates=210):
    torch.manual_seed(0)
    job = Identification(House(), Plant(seed=21))
    for k in range(updates):
        cost = job.update()
        if k % 42 == 41:
            hours = job.house.zones.minutes / 60
            print(f"after {hours:5.1f} h: cost {cost:.4f}, mean gap of the gains {job.gap():.4f}")


if __name__ == "__main__":
    main()
