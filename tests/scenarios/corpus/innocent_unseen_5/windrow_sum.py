# gradwatch-corpus: kind=none
# about: gradients pile up over the strips of a field and a running total of losses with graph is formed, but both belong to one optimizer step: zeroed and rebuilt for the next field; a worker thread prepares strips through a bounded queue
"""Yield maps from harvester swaths: gradients of several strips make one step, a field-level total is
matched to the weighbridge."""
import queue
import threading
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass(frozen=True)
class Strip:
    field: int
    readings: torch.Tensor
    grain: torch.Tensor
    last: bool


class Harvester(threading.Thread):
    """Drives ahead of the learner by at most a few strips."""

    def __init__(self, seed, fields, strips=4, ahead=6):
        super().__init__(daemon=True)
        self.gen = torch.Generator().manual_seed(seed)
        self.fields, self.strips = fields, strips
        self.belt = queue.Queue(ahead)

    def run(self):
        for f in range(self.fields):
            soil = torch.rand(1, 1, generator=self.gen)
            for s in range(self.strips):
                flow = torch.rand(40, 8, generator=self.gen)
                grain = (flow[:, :3].sum(1) * (0.5 + soil[0]) + 0.3 * torch.sin(6 * flow[:, 4]))
                noisy = flow + 0.05 * torch.randn(flow.shape, generator=self.gen)
                self.belt.put(Strip(f, torch.cat([noisy, soil.expand(40, 1)], 1), grain, s == self.strips - 1))
        self.belt.put(None)

    def __iter__(self):
        self.start()
        return iter(self.belt.get, None)


class Windrow:
    """Sum of the strips of the field under way."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.guess, self.truth, self.strips = 0.0, 0.0, 0

    def add(self, guess, truth):
        self.guess = self.guess + guess.sum()
        self.truth = self.truth + truth.sum()
        self.strips += 1

    def gap(self):
        return ((self.guess - self.truth) / (40 * self.strips)).square()


class Farm:
    def __init__(self, seed=44):
        torch.manual_seed(seed)
        self.net = nn.Sequential(nn.Linear(9, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))
        self.opt = torch.optim.NAdam(self.net.parameters(), lr=3e-3)
        self.row, self.done, self.trail = Windrow(), 0, []

    def strip(self, s):
        guess = self.net(s.readings).squeeze(1)
        self.row.add(guess, s.grain)
        part = F.huber_loss(guess, s.grain) / 4
        part.backward(retain_graph=True)     # the field total comes later and goes through here again
        return part.item()

    @contextmanager
    def field(self):
        try:
            yield self.row
            (0.5 * self.row.gap()).backward()
            self.opt.step()
            self.done += 1
        finally:
            self.opt.zero_grad()
            self.row.clear()

    def harvest(self, strips):
        it = iter(strips)
        for first in it:
            with self.field() as row:
                total, s = self.strip(first), first
                while not s.last:
                    s = next(it)
                    total += self.strip(s)
                gap = row.gap().item()
            self.trail = self.trail[-19:] + [(total, gap)]
            if self.done % 50 == 1:
                print(f"field {s.field:3d} strips {sum(t for t, _ in self.trail) / len(self.trail):.4f} "
                      f"weighbridge {sum(g for _, g in self.trail) / len(self.trail):.5f}")


if __name__ == "__main__":
    Farm().harvest(Harvester(44, fields=300))
