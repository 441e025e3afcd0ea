import torch
import torch.nn.functional as F


class MemoryBank:
    def __init__(self, size, dim):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.ptr = 0

    def enqueue(self, k):
        n = len(k)
        idx = (self.ptr + torch.arange(n)) % len(self.keys)
        updated = self.keys.clone()
        updated[idx] = k.detach()
        self.keys = updated
        self.ptr = (self.ptr + n) % len(self.keys)
