import torch
from torch import nn


class PairRanker(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(dim, 30), nn.ReLU(), nn.Linear(30, 1))

    def forward(self, good, bad):
        return (self.score(good) - self.score(bad)).squeeze(-1)


class Traffic:
    def __init__(self, rng, dim=12):
        self.rng = rng
        self.pref = torch.randn(dim)
        self.active = ["s0", "s1", "s2"]
        self.opened = 3

    def next(self, n=24):
        if self.rng.random() < 0.2:
            self.active[self.rng.randrange(3)] = f"s{self.opened}"
            self.opened += 1
        a, b = torch.randn(2, n, len(self.pref))
        swap = (a @ self.pref < b @ self.pref).unsqueeze(1)
        return self.rng.choice(self.active), torch.where(swap, b, a), torch.where(swap, a, b)
