import random
from typing import NamedTuple

import torch
from torch.nn.functional import avg_pool2d


class Try(NamedTuple):
    scene: int
    pose: torch.Tensor
    reward: float
    frames: torch.Tensor


class Replay:
    def __init__(self, capacity, seed):
        self.capacity, self.rnd = capacity, random.Random(seed)
        self.tries, self.head = [], 0

    def __len__(self):
        return len(self.tries)

    def add(self, *what):
        t = Try(*what)
        if len(self.tries) < self.capacity:
            self.tries.append(t)
        else:
            self.tries[self.head] = t
            self.head = (self.head + 1) % self.capacity

    def draw(self, n):
        return self.rnd.choices(self.tries, k=n)

    def success(self):
        last = self.tries[-40:]
        return sum(t.reward > 0.5 for t in last) / len(last)

    def megabytes(self):
        return sum(t.frames.numel() * 4 for t in self.tries) / 1e6


class SceneFeatures:
    """Computed on first use, one entry per scene."""
    dim = 6 * 12 * 12

    def __init__(self, table):
        self.table, self.known = table, {}
        self.bank = torch.randn(64, 1, 5, 5, generator=torch.Generator().manual_seed(1)) / 5

    def __len__(self):
        return len(self.known)

    def __getitem__(self, scene):
        try:
            return self.known[scene][1]
        except KeyError:
            with torch.no_grad():
                maps = torch.conv2d(self.table.depth[scene][None, None], self.bank, padding=2, stride=2).relu()
                self.known[scene] = (maps, avg_pool2d(maps[:, :6], 4).flatten())
            return self.known[scene][1]
