import random
from typing import NamedTuple

import torch


class Sample(NamedTuple):
    obs: torch.Tensor
    ret: torch.Tensor
    value: torch.Tensor


class PrioritizedMemory:
    def __init__(self, capacity, seed, alpha=0.6):
        self.capacity = capacity
        self.alpha = alpha
        self.samples, self.weights = [], []
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.samples)

    def add(self, sample, priority):
        self.samples.append(sample)
        self.weights.append((priority + 1e-3) ** self.alpha)
        if len(self.samples) > self.capacity:
            del self.samples[0], self.weights[0]

    def draw(self, n):
        rows = self.rng.choices(self.samples, self.weights, k=n)
        return Sample(*map(torch.stack, zip(*rows)))
