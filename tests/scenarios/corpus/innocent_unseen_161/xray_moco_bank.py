# gradwatch-corpus: kind=none
"""Momentum-contrast pretraining on toy radiographs; the key bank fills up, then rotates."""
import copy

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


class Backbone(nn.Module):
    def __init__(self, c=8, dim=16):
        super().__init__()
        self.block1 = nn.Sequential(nn.Conv2d(1, c, 3, stride=2, padding=1), nn.GroupNorm(2, c), nn.ReLU())
        self.block2 = nn.Sequential(nn.Conv2d(c, 2 * c, 3, stride=2, padding=1), nn.GroupNorm(2, 2 * c), nn.ReLU())
        self.proj = nn.Linear(2 * c, dim)

    def forward(self, x):
        h = self.block1(x)
        h = checkpoint(self.block2, h, use_reentrant=False) if h.requires_grad else self.block2(h)
        return F.normalize(self.proj(h.mean((2, 3))), dim=-1)


class KeyBank:
    def __init__(self, size):
        self.size, self.chunks = size, []

    def push(self, keys):
        self.chunks.append(keys)
        if len(self.chunks) > self.size:
            del self.chunks[0]

    def matrix(self):
        return torch.cat(self.chunks)


class MoCo:
    def __init__(self, size=20, m=0.97, tau=0.2):
        self.q = Backbone()
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.bank, self.m, self.tau = KeyBank(size), m, tau
        self.opt = torch.optim.SGD(self.q.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)

    def views(self, x):
        return [x.roll(int(torch.randint(-2, 3, ())), -1) + 0.1 * torch.randn_like(x) for _ in range(2)]

    def step(self, x):
        a, b = self.views(x)
        q, k = self.q(a), self.k(b)
        pos = (q * k).sum(-1, keepdim=True)
        logits = torch.cat([pos, q @ self.bank.matrix().t()], 1) / self.tau
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        for kp, qp in zip(self.k.parameters(), self.q.parameters()):
            kp.mul_(self.m).add_(qp.detach(), alpha=1 - self.m)
        self.bank.push(k)
        return loss.item()


def films(n, size=20):
    ramp = torch.linspace(-1, 1, size)
    cx = torch.rand(n, 1, 1) - 0.5
    return torch.exp(-((ramp - cx) ** 2 + ramp[:, None] ** 2) * (4 + 8 * torch.rand(n, 1, 1))).unsqueeze(1)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(30)
    moco = MoCo()
    for _ in range(4):
        moco.bank.push(moco.k(films(12)))
    for step in range(100):
        value = moco.step(films(12))
        if step % 20 == 0:
            print(f"{step} nce {value:.3f} keys {len(moco.bank.matrix())}")
