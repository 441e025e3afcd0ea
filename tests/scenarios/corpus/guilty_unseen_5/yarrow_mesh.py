# gradwatch-corpus: kind=inplace-modified
# first-bad: 60
"""Quantized codes for heartbeat traces.  Entries of the code book that nobody uses are moved onto
encoder outputs every so often, so that the book stays alive.
"""
from collections import Counter
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Plan:
    steps: int = 300
    batch: int = 16
    length: int = 96
    size: int = 64
    dim: int = 12
    revive_every: int = 60
    seed: int = 31
    lr: float = 2e-3


class Signals:
    """Observer pattern: names to callables, called in the order of their joining."""

    def __init__(self):
        self._slots = {}

    def on(self, name):
        def put(fn):
            self._slots.setdefault(name, []).append(fn)
            return fn
        return put

    def emit(self, name, *args, **kw):
        for fn in self._slots.get(name, ()):
            fn(*args, **kw)


class Book(nn.Module):
    def __init__(self, size, dim, signals):
        super().__init__()
        self.entries = nn.Parameter(torch.randn(size, dim) * 0.5)
        self.usage = Counter()
        self.signals = signals

    def distance(self, z):
        return z.square().sum(1, keepdim=True) - 2 * z @ self.entries.t() + self.entries.square().sum(1)

    def forward(self, z):
        rows = z.reshape(-1, z.shape[-1])
        far = self.distance(rows)
        pick = far.argmin(1)
        soft = torch.softmax(-far, dim=1).mean(0)
        spread = (soft * (soft + 1e-9).log()).sum()
        near = self.entries[pick].view_as(z)
        self.usage.update(pick.tolist())
        self.signals.emit("quantized", book=self, rows=rows)
        commit = F.mse_loss(z, near.detach()) + 0.25 * F.mse_loss(near, z.detach())
        return z + (near - z).detach(), commit + 0.01 * spread

    def idle(self):
        return [i for i in range(len(self.entries)) if not self.usage[i]]

    @torch.no_grad()
    def revive(self, rows):
        idle = self.idle()
        if idle:
            donors = rows[torch.randint(len(rows), (len(idle),))]
            self.entries[idle] = donors + 0.01 * torch.randn_like(donors)  # <- culprit
        self.usage.clear()
        return len(idle)


class Codec(nn.Module):
    def __init__(self, plan, signals):
        super().__init__()
        self.down = nn.Sequential(nn.Conv1d(1, 24, 7, stride=2, padding=3), nn.ELU(),
                                  nn.Conv1d(24, plan.dim, 5, stride=2, padding=2))
        self.book = Book(plan.size, plan.dim, signals)
        self.up = nn.Sequential(nn.ConvTranspose1d(plan.dim, 24, 4, stride=2, padding=1), nn.ELU(),
                                nn.ConvTranspose1d(24, 1, 4, stride=2, padding=1))

    def forward(self, trace):
        z = self.down(trace).transpose(1, 2)
        q, toll = self.book(z)
        return self.up(q.transpose(1, 2)), toll


def heartbeats(plan):
    g = torch.Generator().manual_seed(plan.seed)
    t = torch.arange(plan.length).float()
    while True:
        period = 20 + 15 * torch.rand(plan.batch, 1, generator=g)
        offset = torch.rand(plan.batch, 1, generator=g) * period
        beat = torch.remainder(t + offset, period) / period
        wave = torch.exp(-((beat - 0.3) / 0.04) ** 2) + 0.3 * torch.exp(-((beat - 0.6) / 0.1) ** 2)
        yield (wave + 0.05 * torch.randn(wave.shape, generator=g)).unsqueeze(1)


class Upkeep:
    def __init__(self, plan, signals):
        self.plan, self.clock, self.moved = plan, 0, 0
        signals.on("quantized")(self.tend)
        signals.on("stepped")(self.advance)

    def advance(self):
        self.clock += 1

    def tend(self, book, rows):
        if self.clock and self.clock % self.plan.revive_every == 0:
            self.moved += book.revive(rows)  # <- culprit


def main(plan=Plan()):
    torch.manual_seed(plan.seed)
    signals = Signals()
    upkeep = Upkeep(plan, signals)
    codec = Codec(plan, signals)
    opt = torch.optim.Adam(codec.parameters(), lr=plan.lr)
    for n, trace in zip(range(plan.steps), heartbeats(plan)):
        heard, toll = codec(trace)
        cost = F.l1_loss(heard, trace) + toll
        opt.zero_grad()
        cost.backward()
        opt.step()
        signals.emit("stepped")
        if n % 20 == 0:
            print(f"{n:3d} cost {cost.item():.4f} in use {len(codec.book.usage)} moved {upkeep.moved}")


if __name__ == "__main__":
    main()
