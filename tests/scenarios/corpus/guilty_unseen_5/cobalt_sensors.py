# gradwatch-corpus: kind=second-backward
# holder: self.learned_roads | self.net.learned_roads | session.net.learned_roads
# first-bad: 61
"""
Loop-detector forecasting on a synthetic motorway. First the hand-drawn road map is used; after the warm-up
the adjacency comes from learned detector embeddings (Graph-WaveNet style).
"""
import math
from functools import cached_property
from types import SimpleNamespace

import torch
from torch import nn

OPTS = SimpleNamespace(detectors=36, history=8, hidden=24, updates=300, warm=60, batch=24, lr=2e-3, seed=71)


class Motorway:
    def __init__(self, detectors):
        self.ring = torch.zeros(detectors, detectors)
        for i in range(detectors):
            self.ring[i, (i - 1) % detectors] = 0.6
            self.ring[i, i] = 0.4
        far = torch.randperm(detectors)
        self.hidden_link = torch.eye(detectors)[far]
        self.flow = torch.rand(detectors)
        self.clock = 0

    def tick(self):
        self.clock += 1
        rush = 0.3 * math.sin(self.clock / 40) + 0.3
        pushed = 0.75 * self.ring @ self.flow + 0.2 * self.hidden_link @ self.flow
        self.flow = pushed + 0.05 * rush + 0.02 * torch.randn_like(self.flow)
        return self.flow

    def record(self, ticks):
        return torch.stack([self.tick() for _ in range(ticks)])


class RoadNet(nn.Module):
    def __init__(self, o, ring):
        super().__init__()
        self.register_buffer("drawn_roads", ring)
        self.origin = nn.Parameter(torch.randn(o.detectors, 10) * 0.3)
        self.destination = nn.Parameter(torch.randn(o.detectors, 10) * 0.3)
        self.lift = nn.Linear(o.history, o.hidden)
        self.hops = nn.ModuleList(nn.Linear(2 * o.hidden, o.hidden) for _ in range(2))
        self.read = nn.Linear(o.hidden, 1)
        self.use_learned = False

    @cached_property  # <- culprit
    def learned_roads(self):
        """N x N, rows sum to one. The softmax over all pairs is the slow part of the net."""
        return torch.softmax(torch.relu(self.origin @ self.destination.t()), dim=1)  # <- culprit

    @property
    def roads(self):
        if not self.use_learned:
            return self.drawn_roads
        return 0.5 * self.drawn_roads + 0.5 * self.learned_roads

    def forward(self, past):                       # past: batch, history, detectors
        h = torch.tanh(self.lift(past.transpose(1, 2)))
        for hop in self.hops:
            h = h + torch.relu(hop(torch.cat([h, self.roads @ h], dim=-1)))
        return past[:, -1] + self.read(h).squeeze(-1)


class Session:
    def __init__(self, o):
        self.o = o
        way = Motorway(o.detectors)
        self.log = way.record(1500)
        self.log = (self.log - self.log.mean()) / self.log.std()
        self.net = RoadNet(o, way.ring)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=o.lr)

    def sample(self):
        start = torch.randint(0, len(self.log) - self.o.history - 1, (self.o.batch,))
        span = start[:, None] + torch.arange(self.o.history + 1)
        window = self.log[span]
        return window[:, :-1], window[:, -1]

    def update(self, k):
        self.net.use_learned = k >= self.o.warm
        past, nxt = self.sample()
        mae = (self.net(past) - nxt).abs().mean()
        self.opt.zero_grad()
        mae.backward()
        self.opt.step()
        return mae.item()


if __name__ == "__main__":
    torch.manual_seed(OPTS.seed)
    session = Session(OPTS)
    total = 0.0
    for k in range(OPTS.updates):
        total += session.update(k)
        if (k + 1) % 20 == 0:
            kind = "learned" if session.net.use_learned else "drawn"
            print(f"update {k + 1:4d} ({kind} roads)  mae {total / 20:.4f}")
            total = 0.0
