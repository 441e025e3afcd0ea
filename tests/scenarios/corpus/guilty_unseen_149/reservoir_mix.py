# gradwatch-corpus: kind=inplace-modified
# first-bad: 12
# notice: 0
"""Inflow of a reservoir from upstream gauges, some of which drop out in storms."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Setup:
    gauges: int = 9
    channels: int = 4
    width: int = 16
    hours: int = 90
    first_outage: int = 12
    seed: int = 14


class Weighting(nn.Module):
    def __init__(self, setup):
        super().__init__()
        self.key = nn.Linear(setup.channels, setup.width)
        self.query = nn.Parameter(torch.randn(setup.width) * 0.3)

    def mute(self, share, alive):
        share *= alive  # <- culprit
        return share / share.sum(1, keepdim=True)

    def forward(self, readings, alive):
        share = torch.softmax(torch.tanh(self.key(readings)) @ self.query, dim=1)
        if not alive.all():
            share = self.mute(share, alive)  # <- culprit
        return share


class Inflow(nn.Module):
    def __init__(self, setup):
        super().__init__()
        self.weighting = Weighting(setup)
        self.value = nn.Linear(setup.channels, setup.width)
        self.out = nn.Linear(setup.width, 1)

    def forward(self, readings, alive):
        share = self.weighting(readings, alive)
        mixed = (share.unsqueeze(-1) * self.value(readings)).sum(1)
        return self.out(F.elu(mixed)).squeeze(1)


def storm(setup):
    for hour in range(setup.hours):
        x = torch.rand(24, setup.gauges, setup.channels)
        y = x[:, :3, 0].sum(1) - 0.5 * x[:, 3, 1]
        alive = torch.ones(24, setup.gauges)
        if hour >= setup.first_outage:
            alive[torch.rand(24, setup.gauges) < 0.15] = 0.0
        yield hour, x * alive.unsqueeze(-1), alive, y


def main():
    setup = Setup()
    torch.set_num_threads(1)
    torch.manual_seed(setup.seed)
    model = Inflow(setup)
    opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    for hour, x, alive, y in storm(setup):
        loss = F.mse_loss(model(x, alive), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if hour % 10 == 0:
            print(f"hour {hour:3d} mse {loss.item():.4f}")


if __name__ == "__main__":
    main()
