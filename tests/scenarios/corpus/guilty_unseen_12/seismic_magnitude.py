# gradwatch-corpus: kind=graph-held
# holder: self.incidents | self.guard.incidents | guard.incidents | trainer.guard.incidents | exc.__traceback__ | exc | incident.__traceback__ | self.incidents[i].__traceback__
# first-bad: 6
# notice: 30
"""Magnitude regression from waveform features. Batches with implausible residuals (glitches of a
station) are down-weighted and listed in the station report after the run."""
from __future__ import annotations

import collections
import functools

import torch
from torch import nn


class SuspectBatch(RuntimeError):
    def __init__(self, station: int, worst: float):
        super().__init__(f"station {station}: residual {worst:.1f}")
        self.station, self.worst = station, worst


class QualityGuard:
    """Decides on the weight of a batch and remembers why."""

    def __init__(self, limit: float):
        self.limit = limit
        self.incidents: list[SuspectBatch] = []

    def note(self, exc: SuspectBatch) -> float:
        self.incidents.append(exc)  # <- culprit
        return 0.1

    def by_station(self):
        return collections.Counter(e.station for e in self.incidents)

    def worst(self):
        return max(self.incidents, key=lambda e: e.worst, default=None)


def guarded(method):
    """The method's check may raise SuspectBatch; its weight is then the guard's."""

    @functools.wraps(method)
    def wrapper(self, residual, station):
        try:
            method(self, residual, station)
        except SuspectBatch as exc:
            return self.guard.note(exc)  # <- culprit
        return 1.0

    return wrapper


class Network:
    """Synthetic stations; one of them has a loose connector."""

    def __init__(self, features=24, batch=48, seed=21):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(features, generator=self.g) / features ** 0.5
        self.features, self.batch = features, batch

    def __iter__(self):
        count = 0
        while True:
            station = count % 6
            x = torch.randn(self.batch, self.features, generator=self.g)
            y = 4 + x @ self.w + 0.1 * torch.randn(self.batch, generator=self.g)
            if station == 5:
                y[0] += 25.0
            count += 1
            yield station, x, y


class MagnitudeTrainer:
    def __init__(self, steps=300, limit=12.0):
        torch.manual_seed(4)
        self.steps = steps
        self.net = nn.Sequential(nn.Linear(24, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(),
                                 nn.Linear(32, 1))
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-3)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, steps)
        self.guard = QualityGuard(limit)

    @guarded
    def check(self, residual, station):
        peak = residual.abs().max()
        if peak > self.guard.limit:
            raise SuspectBatch(station, peak.item())

    def step(self, station, x, y):
        residual = self.net(x).squeeze(-1) - y
        weight = self.check(residual, station)
        loss = weight * torch.where(residual.abs() < 1, 0.5 * residual ** 2, residual.abs() - 0.5).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        return loss.item()

    def run(self):
        smoothed = None
        for it, (station, x, y) in zip(range(self.steps), Network()):
            value = self.step(station, x, y)
            smoothed = value if smoothed is None else 0.95 * smoothed + 0.05 * value
            if it % 75 == 0:
                print(f"iteration {it:3d}: {smoothed:.4f}")
        return smoothed


if __name__ == "__main__":
    trainer = MagnitudeTrainer()
    trainer.run()
    print("suspect batches per station:", dict(trainer.guard.by_station()))
    print("worst:", trainer.guard.worst())
