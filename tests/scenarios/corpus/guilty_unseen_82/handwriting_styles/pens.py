import math
import random

import torch


class Writers:
    """Every writer has a slant, a loop frequency and a pen-lift habit."""

    def __init__(self, count):
        self.slant = 0.6 * torch.randn(count)
        self.freq = 0.6 + torch.rand(count)
        self.lift = 0.05 + 0.1 * torch.rand(count)

    def __len__(self):
        return len(self.slant)

    def sample(self, wid, n, length=20):
        t = torch.arange(length).float().expand(n, length)
        phase = 2 * math.pi * torch.rand(n, 1)
        dy = torch.sin(self.freq[wid] * t + phase)
        dx = 0.4 + 0.5 * torch.cos(self.freq[wid] * t + phase) + self.slant[wid] * dy
        pen = (torch.rand(n, length) < self.lift[wid]).float()
        xy = torch.stack([dx, dy], -1) + 0.05 * torch.randn(n, length, 2)
        return torch.cat([xy, pen.unsqueeze(-1)], -1)

    def reference(self, wid):
        return self.sample(wid, n=3, length=30)


def schedule(count, per_batch, rounds, mixed=200, seed=3):
    """First whole passes over the writers, so that all are seen early; then at random."""
    rng = random.Random(seed)
    order = list(range(count))
    for _ in range(rounds):
        rng.shuffle(order)
        for i in range(0, count, per_batch):
            yield "enrolment", order[i:i + per_batch]
    for _ in range(mixed):
        yield "mixed", rng.sample(order, per_batch)
