# gradwatch-corpus: kind=none
"""Next-item recommender trained from interleaved visitor sessions."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

N_ITEMS = 60
SESSION_TTL = 40
SWEEP_EVERY = 20


class Session:
    __slots__ = ("visitor", "last_seen", "vector", "clicks")

    def __init__(self, visitor, now):
        self.visitor = visitor
        self.last_seen = now
        self.vector = None
        self.clicks = 0

    def touch(self, now, vector):
        self.last_seen = now
        self.vector = vector
        self.clicks += 1

    def expired(self, now):
        return now - self.last_seen > SESSION_TTL


class SessionTable:
    def __init__(self):
        self.by_visitor = {}
        self.closed = 0

    def open(self, visitor, now):
        if visitor not in self.by_visitor:
            self.by_visitor[visitor] = Session(visitor, now)
        return self.by_visitor[visitor]

    def sweep(self, now):
        stale = [v for v, s in self.by_visitor.items() if s.expired(now)]
        for visitor in stale:
            del self.by_visitor[visitor]
        self.closed += len(stale)


class Recommender(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.items = nn.Embedding(N_ITEMS, dim)
        self.mix = nn.Linear(2 * dim, dim)
        self.dim = dim

    def forward(self, clicked, context):
        vec = torch.tanh(self.mix(torch.cat([self.items(clicked), context], -1)))
        return vec, vec @ self.items.weight.t()


def traffic(rng, steps):
    visitor = 0
    for _ in range(steps):
        if rng.random() < 0.7:
            visitor += 1
        who = max(0, visitor - int(rng.expovariate(0.4)))
        first = rng.randrange(N_ITEMS)
        yield who, first, (first * 7 + 3) % N_ITEMS


def main(steps=500):
    torch.manual_seed(11)
    rng = random.Random(11)
    model = Recommender()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    table = SessionTable()
    running = 0.0
    for now, (visitor, clicked, nxt) in enumerate(traffic(rng, steps)):
        session = table.open(visitor, now)
        if session.vector is None:
            context = torch.zeros(1, model.dim)
        else:
            context = session.vector.detach()
        vec, logits = model(torch.tensor([clicked]), context)
        loss = F.cross_entropy(logits, torch.tensor([nxt]))
        opt.zero_grad()
        loss.backward()
        opt.step()
        session.touch(now, vec)
        if now % SWEEP_EVERY == SWEEP_EVERY - 1:
            table.sweep(now)
        running = 0.95 * running + 0.05 * loss.item()
        if now % 100 == 99:
            print(f"{now + 1:4d} loss {running:.3f} open {len(table.by_visitor)} closed {table.closed}")


if __name__ == "__main__":
    main()
