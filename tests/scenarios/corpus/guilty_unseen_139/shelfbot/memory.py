import random
from dataclasses import dataclass
from typing import Any

import torch


@dataclass
class Transition:
    obs: torch.Tensor
    act: int
    rew: float
    nxt: torch.Tensor
    done: bool
    urgency: Any = 1.0


class UrgencyMemory:
    def __init__(self, capacity=50_000):
        self.capacity = capacity
        self.items: list[Transition] = []

    def __len__(self):
        return len(self.items)

    def push(self, *fields):
        if len(self.items) == self.capacity:
            self.items.pop(0)
        self.items.append(Transition(*fields))

    def draw(self, k):
        weights = [float(tr.urgency) + 0.01 for tr in self.items]
        return random.choices(self.items, weights=weights, k=k)

    def revise(self, drawn, errors):
        for tr, err in zip(drawn, errors):
            tr.urgency = err  # <- culprit
