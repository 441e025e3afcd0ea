import torch
import torch.nn.functional as F


class KeyQueue:
    def __init__(self, size, dim):
        self.rows = F.normalize(torch.randn(size, dim), dim=1)
        self.head = 0

    def push(self, keys):
        n = len(keys)
        idx = (torch.arange(n) + self.head) % len(self.rows)
        self.rows[idx] = keys
        self.head = (self.head + n) % len(self.rows)
