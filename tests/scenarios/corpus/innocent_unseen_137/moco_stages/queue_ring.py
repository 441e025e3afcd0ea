import torch
import torch.nn.functional as F


class KeyQueue:
    def __init__(self, size, dim):
        self.store = F.normalize(torch.randn(size, dim), dim=1)
        self.at, self.filled = 0, False

    def keys(self):
        return self.store.clone()

    def push(self, k):
        idx = (self.at + torch.arange(len(k))) % len(self.store)
        self.store[idx] = k
        self.at = (self.at + len(k)) % len(self.store)
        self.filled = True
