# gradwatch-corpus: kind=none
# about: the recurrent state is put away with its graph, and read through a property that cuts it; only one old step is ever alive and the loss never reaches it
"""Streaming detector of bird calls in filter-bank frames. The state of the recording goes on from clip to clip."""
import math

import torch
from torch import nn
import torch.nn.functional as F


class Carried:
    """Descriptor: hands out what was stored, free of its past."""

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        stored = getattr(obj, self.slot, None)
        return None if stored is None else tuple(s.detach() for s in stored)

    def __set__(self, obj, value):
        setattr(obj, self.slot, value)


class Listener(nn.Module):
    memory = Carried()

    def __init__(self, bands=16, cells=32):
        super().__init__()
        self.front = nn.Conv1d(bands, cells, 3, padding=1)
        self.rec = nn.LSTMCell(cells, cells)
        self.call = nn.Linear(cells, 1)
        self.first = nn.Parameter(torch.zeros(2, 1, cells))

    def forward(self, clip):
        frames = F.relu(self.front(clip)).permute(2, 0, 1)
        mem = self.memory
        if mem is None:
            mem = tuple(f.expand(clip.shape[0], -1) for f in self.first)
        said = []
        for frame in frames:
            mem = self.rec(frame, mem)
            said.append(self.call(mem[0]))
        self.memory = mem
        return torch.cat(said, 1)


def night(stations, bands, span, rng):
    """Endless recording: an upward sweep of three frames now and then."""
    sweep = torch.zeros(stations, dtype=torch.long)
    while True:
        x = 0.6 * torch.randn(stations, bands, span, generator=rng)
        y = torch.zeros(stations, span)
        for t in range(span):
            start = (sweep == 0) & (torch.rand(stations, generator=rng) < 0.08)
            sweep = torch.where(start, torch.tensor(3), (sweep - 1).clamp_min(0))
            hot = sweep > 0
            x[hot, 4 + 3 * (3 - sweep[hot]), t] += 2.5
            y[hot, t] = 1.0
        yield x, y


def main():
    torch.manual_seed(44)
    rng = torch.Generator().manual_seed(44)
    ear = Listener()
    opt = torch.optim.Adam(ear.parameters(), lr=4e-3)
    loud = []
    for k, (clip, truth) in zip(range(450), night(8, 16, 8, rng)):
        if k % 150 == 0:
            ear.memory = None
        heard = ear(clip)
        bce = F.binary_cross_entropy_with_logits(heard, truth, pos_weight=torch.tensor(3.0))
        opt.zero_grad()
        bce.backward()
        opt.step()
        loud.append(bce.item())
        if k % 75 == 74:
            print(f"clip {k + 1}: bce {math.fsum(loud[-75:]) / 75:.4f}")


if __name__ == "__main__":
    main()
