import torch
from torch import nn


class KeyBank(nn.Module):
    """FIFO of keys; fixed size, written in place."""

    def __init__(self, dim, size):
        super().__init__()
        self.register_buffer("keys", nn.functional.normalize(torch.randn(dim, size), dim=0))
        self.register_buffer("ptr", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def push(self, k):
        n, p = len(k), int(self.ptr)
        self.keys[:, p:p + n] = k.T
        self.ptr.fill_((p + n) % self.keys.shape[1])

    def negatives(self, q):
        return q @ self.keys.clone().detach()
