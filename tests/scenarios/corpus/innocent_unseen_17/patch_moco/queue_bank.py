"""First-in first-out bank of keys."""
import torch
import torch.nn.functional as F


class KeyQueue:
    def __init__(self, dim, size):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.ptr, self.size = 0, size

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.shape[0]
        assert self.size % n == 0
        self.keys[self.ptr:self.ptr + n] = keys
        self.ptr = (self.ptr + n) % self.size

    def negatives(self):
        # a copy: enqueue writes into the bank between forward and backward
        return self.keys.clone()
