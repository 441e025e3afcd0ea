import random
from collections import namedtuple

import torch

Batch = namedtuple("Batch", "obs act rew nxt done idx weight")


class Replay:
    def __init__(self, capacity):
        self.capacity = capacity
        self.rows = []
        self.cursor = 0

    def __len__(self):
        return len(self.rows)

    def add(self, *row):
        slot = self.cursor
        if len(self.rows) < self.capacity:
            self.rows.append(row)
        else:
            self.rows[slot] = row
        self.cursor = (self.cursor + 1) % self.capacity
        return slot

    def collate(self, idx, weight):
        obs, act, rew, nxt, done = zip(*(self.rows[i] for i in idx))
        return Batch(torch.tensor(obs), torch.tensor(act), torch.tensor(rew),
                     torch.tensor(nxt), torch.tensor(done).float(), idx, weight)

    def sample(self, n, beta=1.0):
        idx = random.sample(range(len(self)), n)
        return self.collate(idx, torch.ones(n))

    def feedback(self, idx, td):
        pass


class PrioritizedReplay(Replay):
    """Proportional variant, without the sum tree (the buffer is small)."""

    def __init__(self, capacity, alpha=0.6, eps=1e-3):
        super().__init__(capacity)
        self.alpha, self.eps = alpha, eps
        self.priorities = []
        self.top = torch.tensor(1.0)

    def add(self, *row):
        slot = super().add(*row)
        if slot == len(self.priorities):
            self.priorities.append(self.top)
        else:
            self.priorities[slot] = self.top
        return slot

    def sample(self, n, beta=1.0):
        p = torch.tensor([q.item() for q in self.priorities]) ** self.alpha
        p = p / p.sum()
        idx = torch.multinomial(p, n, replacement=False)
        weight = (len(self) * p[idx]) ** -beta
        return self.collate(idx.tolist(), weight / weight.max())

    def feedback(self, idx, td):
        fresh = td.abs().clamp(max=1.0) + self.eps
        for i, p in zip(idx, fresh):
            self.priorities[i] = p  # <- culprit
