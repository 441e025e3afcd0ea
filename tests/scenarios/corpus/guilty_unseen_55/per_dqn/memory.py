from typing import NamedTuple

import numpy as np
import torch


class Transition(NamedTuple):
    s: torch.Tensor
    a: int
    r: float
    s2: torch.Tensor
    done: float


class Ranks(list):
    """Priorities by slot; numbers and scalar tensors both welcome."""

    floor = 1e-3

    def __setitem__(self, slot, value):
        super().__setitem__(slot, torch.as_tensor(value).clamp(min=self.floor))  # <- culprit

    def probs(self, alpha):
        p = np.array([v.item() for v in self]) ** alpha
        return p / p.sum()

    def top(self):
        return max((v.item() for v in self), default=1.0)


class Memory:
    def __init__(self, capacity, alpha=0.6):
        self.capacity = capacity
        self.alpha = alpha
        self.rows = []
        self.prio = Ranks()
        self.head = 0
        self.rng = np.random.default_rng(0)

    def add(self, tr):
        top = self.prio.top()
        if len(self.rows) < self.capacity:
            self.rows.append(None)
            self.prio.append(torch.tensor(top))
        self.rows[self.head] = tr
        self.prio[self.head] = top
        self.head = (self.head + 1) % self.capacity

    def sample(self, size, beta):
        p = self.prio.probs(self.alpha)
        idx = self.rng.choice(len(self.rows), size, p=p)
        w = (len(self.rows) * p[idx]) ** -beta
        picked = Transition(*zip(*(self.rows[i] for i in idx)))
        batch = Transition(
            torch.stack(picked.s), torch.tensor(picked.a), torch.tensor(picked.r),
            torch.stack(picked.s2), torch.tensor(picked.done),
        )
        return idx, batch, torch.as_tensor(w / w.max(), dtype=torch.float32)

    def rank(self, idx, values):
        for i, v in zip(idx, values):
            self.prio[i] = v  # <- culprit
