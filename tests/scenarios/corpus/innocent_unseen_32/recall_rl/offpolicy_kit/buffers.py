import random
from collections import deque

import torch


class Replay:
    """Bounded store of tuples of tensors."""

    def __init__(self, capacity, seed=0):
        self.items = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.items)

    def push(self, *tensors):
        self.items.append(tuple(t.detach().clone() for t in tensors))

    def sample(self, n):
        picked = self.rng.sample(list(self.items), n)
        return [torch.stack(col) for col in zip(*picked)]


class RecallBuffer:
    """The last few hidden states, zero-padded at the front."""

    def __init__(self, slots, width):
        self.states = deque([torch.zeros(1, width)] * slots, maxlen=slots)

    def write(self, h):
        self.states.append(h.detach())

    def read(self):
        return torch.stack(list(self.states), dim=1)
