# gradwatch-corpus: kind=none
"""Contrastive pretraining of point-set embeddings with a rolling key dictionary."""
import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class PointNetLite(nn.Module):
    def __init__(self, out=20):
        super().__init__()
        self.local = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 48))
        self.head = nn.Linear(48, out)

    def forward(self, pts):
        return F.normalize(self.head(self.local(pts).amax(dim=1)), dim=-1)


class KeyDictionary(nn.Module):
    """Ring of keys plus, for the drift monitor, the last few pushed blocks."""

    def __init__(self, size, dim, keep_blocks=6):
        super().__init__()
        self.register_buffer("ring", F.normalize(torch.randn(size, dim), dim=1))
        self.head = 0
        self.blocks = deque(maxlen=keep_blocks)

    @torch.no_grad()
    def push(self, keys):
        idx = (self.head + torch.arange(len(keys))) % len(self.ring)
        self.ring[idx] = keys
        self.head = int(idx[-1] + 1) % len(self.ring)
        self.blocks.append(keys)

    def snapshot(self):
        return self.ring.clone()

    def drift(self):
        if len(self.blocks) < 2:
            return 0.0
        return (self.blocks[-1].mean(0) - self.blocks[0].mean(0)).norm().item()


class RollingContrast(nn.Module):
    def __init__(self, size=512, momentum=0.97, temp=0.12):
        super().__init__()
        self.query = PointNetLite()
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.dictionary = KeyDictionary(size, 20)
        self.momentum, self.temp = momentum, temp
        self.similarity_ema = None

    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.data.lerp_(q.data, 1 - self.momentum)

    def forward(self, view_a, view_b):
        q, k = self.query(view_a), self.key(view_b)
        positive = (q * k).sum(-1, keepdim=True)
        negative = q @ self.dictionary.snapshot().T
        sim = positive.mean()
        if self.similarity_ema is None:
            self.similarity_ema = sim.detach()
        self.similarity_ema = 0.95 * self.similarity_ema + 0.05 * sim.detach()
        logits = torch.cat([positive, negative], 1) / self.temp
        self.dictionary.push(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def ellipses(n, points=40):
    axes = torch.rand(n, 1, 2) + 0.2
    centre = torch.randn(n, 1, 2) * 0.5

    def view():
        a = torch.rand(n, points, 1) * 6.2832
        return torch.cat([a.cos(), a.sin()], -1) * axes + centre + 0.02 * torch.randn(n, points, 2)

    return view(), view()


def main():
    torch.manual_seed(14)
    model = RollingContrast()
    opt = torch.optim.AdamW(model.query.parameters(), lr=2e-3)
    losses = []
    for step in range(180):
        loss = model(*ellipses(48))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.follow()
        losses.append(loss.detach())
        if len(losses) == 30:
            print(f"{step:4d} nce {torch.stack(losses).mean():.3f} "
                  f"sim {model.similarity_ema:.3f} drift {model.dictionary.drift():.3f}")
            losses.clear()


if __name__ == "__main__":
    main()
