import torch
from torch import nn


class Memory:
    """Decayed outer products of keys and values."""

    def __init__(self, width, decay=0.9):
        self.decay = decay
        self.slots = torch.zeros(width, width)

    def read(self, q):
        return q @ self.slots

    def write(self, k, v):
        update = k.t() @ v / len(k)  # <- culprit
        self.slots = self.decay * self.slots + update  # <- culprit


class YieldModel(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.key = nn.Linear(n_in, width)
        self.value = nn.Linear(n_in, width)
        self.head = nn.Sequential(nn.Linear(2 * width, 24), nn.ReLU(), nn.Linear(24, 1))
        self.memory = Memory(width)

    def forward(self, x):
        k, v = torch.tanh(self.key(x)), self.value(x)
        recalled = self.memory.read(k)
        self.memory.write(k, v)  # <- culprit
        return self.head(torch.cat([v, recalled], 1))
