# gradwatch-corpus: kind=none
"""Leaf-shape contrast with a momentum encoder and a ring buffer of negatives held in module buffers."""
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(310)


class Shape(nn.Sequential):
    def __init__(self, dim=6):
        super().__init__(nn.Linear(16, 20), nn.ReLU(), nn.Linear(20, dim))

    def forward(self, x):
        return F.normalize(super().forward(x), dim=-1)


class Contrast(nn.Module):
    def __init__(self, size=64, dim=6, m=0.97, tau=0.2):
        super().__init__()
        self.q, self.m, self.tau = Shape(dim), m, tau
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.register_buffer("ring", F.normalize(torch.randn(size, dim), dim=1))
        self.register_buffer("at", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def keys(self, view):
        torch._foreach_lerp_(list(self.k.parameters()), list(self.q.parameters()), 1 - self.m)
        return self.k(view)

    @torch.no_grad()
    def enqueue(self, k):
        rows = (self.at + torch.arange(len(k))) % len(self.ring)
        self.ring[rows] = k
        self.at.copy_((self.at + len(k)) % len(self.ring))

    def forward(self, a, b):
        q, k = self.q(a), self.keys(b)
        logits = torch.cat([(q * k).sum(1, keepdim=True), q @ self.ring.clone().t()], 1) / self.tau
        self.enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


leaves = torch.randn(40, 16)
model = Contrast()
opt = torch.optim.SGD(model.q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
for step in range(1, 1401):
    who = torch.randint(0, 40, (8,))
    loss = model(leaves[who] + 0.2 * torch.randn(8, 16), leaves[who] + 0.2 * torch.randn(8, 16))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 350 == 0:
        print(step, round(loss.item(), 3))
