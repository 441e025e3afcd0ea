import math

import torch


class WordSet:
    def __init__(self, n: int, classes: int, length: int):
        g = torch.Generator().manual_seed(80)
        t = torch.arange(length) / 8000
        self.items = []
        for i in range(n):
            y = i % classes
            f0 = 300 + 350 * y + 30 * torch.rand((), generator=g)
            tone = torch.sin(2 * math.pi * f0 * t * (1 + 0.4 * t))
            self.items.append((tone + 0.3 * torch.randn(length, generator=g), y))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]
