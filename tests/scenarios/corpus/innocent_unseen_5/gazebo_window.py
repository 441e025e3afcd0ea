# gradwatch-corpus: kind=none
# about: loss tensors with their graphs are kept for a moving average, but in a deque of 16; the key queue of the contrastive part and the slow encoder are fed under no_grad
"""Bird-song clips, MoCo style: slow key encoder, ring buffer of negatives, two random crops of one clip."""
import copy
import math
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


def songs(n, length=256):
    t = torch.linspace(0, 1, length)
    base = 8 + 30 * torch.rand(n, 1)
    sweep = 20 * torch.randn(n, 1)
    trill = 0.4 * torch.sin(2 * math.pi * (3 + 5 * torch.rand(n, 1)) * t)
    return torch.sin(2 * math.pi * (base * t + 0.5 * sweep * t ** 2) + trill)


def crop(clip, width=160):
    s = int(torch.randint(0, clip.shape[1] - width, (1,)))
    piece = clip[:, s:s + width]
    return piece * (0.7 + 0.6 * torch.rand(len(clip), 1)) + 0.1 * torch.randn_like(piece)


class SongEncoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.c1 = nn.Conv1d(1, 12, 16, stride=6)
        self.c2 = nn.Conv1d(12, 24, 5, stride=2)
        self.proj = nn.Linear(24, dim)

    def forward(self, piece):
        z = F.relu(self.c2(F.relu(self.c1(piece.unsqueeze(1)))))
        return F.normalize(self.proj(z.mean(-1)), dim=1)


class KeyRing:
    def __init__(self, slots, dim):
        self.keys = F.normalize(torch.randn(slots, dim), dim=1)
        self.at = 0

    def push(self, fresh):
        n = len(fresh)
        where = (torch.arange(n) + self.at) % len(self.keys)
        self.keys[where] = fresh
        self.at = int(where[-1]) + 1


class Aviary:
    def __init__(self, tau=0.15, m=0.98):
        self.query = SongEncoder()
        self.key = copy.deepcopy(self.query)
        self.ring = KeyRing(512, 24)
        self.tau, self.m = tau, m
        self.recent = deque(maxlen=16)
        self.opt = torch.optim.SGD(self.query.parameters(), lr=0.2, momentum=0.9, weight_decay=1e-4)

    def contrast(self, clip):
        q = self.query(crop(clip))
        with torch.no_grad():
            for slow, quick in zip(self.key.parameters(), self.query.parameters()):
                slow.mul_(self.m).add_(quick, alpha=1 - self.m)
            k = self.key(crop(clip))
        near = (q * k).sum(1, keepdim=True)
        far = q @ self.ring.keys.clone().t()
        loss = F.cross_entropy(torch.cat([near, far], 1) / self.tau, torch.zeros(len(q), dtype=torch.long))
        self.ring.push(k)
        return loss

    def step(self):
        loss = self.contrast(songs(24))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.recent.append(loss)

    def __str__(self):
        return f"contrastive loss {torch.stack(tuple(self.recent)).mean().item():.4f} (last {len(self.recent)})"


if __name__ == "__main__":
    torch.manual_seed(303)
    aviary = Aviary()
    for i in range(1, 311):
        aviary.step()
        if i % 62 == 0:
            print(f"{i:4d}  {aviary}")
