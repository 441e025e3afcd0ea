import copy

import torch
import torch.nn.functional as F
from torch import nn


class MoCo(nn.Module):
    def __init__(self, d_in, d, K, m=0.99, T=0.1):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(d_in, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, d))
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(K, d), dim=1))
        self.ptr, self.m, self.T = 0, m, T
        self.last_keys = None

    @torch.no_grad()
    def momentum_update(self):
        for a, b in zip(self.q.parameters(), self.k.parameters()):
            b.lerp_(a, 1 - self.m)

    @torch.no_grad()
    def enqueue(self):
        n = len(self.last_keys)
        self.queue[self.ptr:self.ptr + n] = self.last_keys
        self.ptr = (self.ptr + n) % len(self.queue)

    def forward(self, xq, xk):
        q = F.normalize(self.q(xq), dim=1)
        self.momentum_update()
        k = F.normalize(self.k(xk), dim=1)
        self.last_keys = k
        return torch.cat([(q * k).sum(1, keepdim=True), q @ self.queue.t()], 1) / self.T
