import random
from typing import NamedTuple

import torch


class Transition(NamedTuple):
    obs: torch.Tensor
    action: int
    reward: float
    nxt: torch.Tensor
    done: bool


class TournamentReplay:
    """Instead of a sum tree: draw `pressure` times too many candidates, keep the most surprising."""

    def __init__(self, capacity, pressure=3):
        self.capacity, self.pressure = capacity, pressure
        self.data, self.priorities = [], []
        self.cursor = 0

    def __len__(self):
        return len(self.data)

    def add(self, *fields, priority=1.0):
        item = Transition(*fields)
        if len(self.data) < self.capacity:
            self.data.append(item)
            self.priorities.append(priority)
        else:
            self.data[self.cursor] = item
            self.priorities[self.cursor] = priority
            self.cursor = (self.cursor + 1) % self.capacity

    def sample(self, n):
        candidates = random.sample(range(len(self.data)), n * self.pressure)
        candidates.sort(key=lambda i: self.priorities[i], reverse=True)
        slots = candidates[:n]
        batch = [self.data[i] for i in slots]
        return slots, (
            torch.stack([b.obs for b in batch]),
            torch.tensor([b.action for b in batch]),
            torch.tensor([b.reward for b in batch]),
            torch.stack([b.nxt for b in batch]),
            torch.tensor([float(b.done) for b in batch]),
        )

    def update(self, slots, errors, eps=1e-3):
        for slot, err in zip(slots, errors):
            self.priorities[slot] = err.abs() + eps  # <- culprit
