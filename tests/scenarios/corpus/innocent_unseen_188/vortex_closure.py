# gradwatch-corpus: kind=none
"""Subgrid closure for 1-D Burgers flow; events of different types go to a dispatching archive."""
import random
from collections import UserList
from dataclasses import dataclass
from functools import singledispatchmethod

import torch
import torch.nn as nn


@dataclass
class Flux:
    step: int
    tau: torch.Tensor


@dataclass
class Misfit:
    step: int
    value: torch.Tensor


@dataclass
class Blowup:
    step: int
    peak: torch.Tensor


class Reservoir(UserList):
    def __init__(self, size, seed):
        super().__init__()
        self.size, self.seen = size, 0
        self.rng = random.Random(seed)

    def append(self, item):
        self.seen += 1
        if len(self.data) < self.size:
            return super().append(item)
        at = self.rng.randrange(self.seen)
        if at < self.size:
            self.data[at] = item


class Archive:
    def __init__(self):
        self.fluxes = Reservoir(14, seed=1)
        self.misfits = {}
        self.last_blowup = None

    @singledispatchmethod
    def take(self, event):
        raise TypeError(type(event))

    @take.register
    def _(self, event: Flux):
        self.fluxes.append(event)

    @take.register
    def _(self, event: Misfit):
        self.misfits[event.step] = event.value
        for step in sorted(self.misfits):
            if step > event.step - 32:
                break
            del self.misfits[step]

    @take.register
    def _(self, event: Blowup):
        self.last_blowup = event


class Closure(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, 12, 5, padding=2, padding_mode="circular"), nn.Tanh(),
            nn.Conv1d(12, 1, 5, padding=2, padding_mode="circular"),
        )

    def forward(self, u):
        return 0.1 * self.net(u[:, None]).squeeze(1)


def ddx(f, h):
    return (f.roll(-1, -1) - f.roll(1, -1)) / (2 * h)


def initial(gen, n, points):
    x = torch.arange(points) * 6.2832 / points
    k = torch.randint(1, 4, (n, 1), generator=gen)
    phase = 6.2832 * torch.rand(n, 1, generator=gen)
    return torch.sin(k * x + phase) + 0.3 * torch.cos(2 * x + phase)


def main():
    torch.manual_seed(18)
    gen = torch.Generator().manual_seed(19)
    model = Closure()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    archive = Archive()
    for step in range(450):
        fine = initial(gen, 8, 96)
        coarse = fine.reshape(8, 24, 4).mean(-1)
        target = ((fine ** 2).reshape(8, 24, 4).mean(-1) - coarse ** 2) / 2
        tau = model(coarse)
        slope = ddx(tau - target, 6.2832 / 24)
        loss = (tau - target).pow(2).mean() * 10 + slope.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        archive.take(Flux(step, tau))
        archive.take(Misfit(step, loss))
        peak = tau.abs().max()
        if peak.item() > 0.5:
            archive.take(Blowup(step, peak))
        if step % 75 == 74:
            mean = sum(v.item() for v in archive.misfits.values()) / len(archive.misfits)
            steps = sorted(f.step for f in archive.fluxes)
            print(step + 1, f"misfit {mean:.5f} archived {steps[0]}..{steps[-1]}", archive.last_blowup is not None)


if __name__ == "__main__":
    main()
