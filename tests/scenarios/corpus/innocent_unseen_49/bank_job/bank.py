from collections import deque

import torch


class FeatureBank:
    def __init__(self, slots):
        self.items = deque(maxlen=slots)

    def enqueue(self, z):
        self.items.append(z)

    def extend_keys(self, keys):
        return torch.cat([keys, *self.items])


class Meter:
    def __init__(self, beta=0.95):
        self.beta, self.value, self.log = beta, None, []

    def __iadd__(self, loss):
        v = loss.item()
        self.value = v if self.value is None else self.beta * self.value + (1 - self.beta) * v
        self.log.append(self.value)
        return self

    def __str__(self):
        return f"{self.value:.4f} after {len(self.log)}"
