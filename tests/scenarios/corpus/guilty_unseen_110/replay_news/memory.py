import random
from dataclasses import dataclass

import torch


@dataclass
class Event:
    ctx: torch.Tensor
    arm: torch.Tensor
    logp: torch.Tensor
    entropy: torch.Tensor
    click: torch.Tensor = None


class EventMemory:
    def __init__(self, capacity, seed=0):
        self.capacity = capacity
        self.items = []
        self.rng = random.Random(seed)

    def add(self, ev):
        self.items.append(ev)  # <- culprit
        del self.items[:-self.capacity]

    def latest(self, n):
        return self.items[-n:]

    def mixed(self, n):
        """Half fresh events, half older ones."""
        fresh = self.items[-n // 2:]
        return fresh + self.rng.sample(self.items[:-n // 2], n // 2)

    def __len__(self):
        return len(self.items)


def collate(events):
    return (
        torch.stack([e.logp for e in events]),  # <- culprit
        torch.stack([e.entropy for e in events]),
        torch.stack([e.click for e in events]),
    )
