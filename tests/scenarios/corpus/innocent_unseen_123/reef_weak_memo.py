# gradwatch-corpus: kind=none
import weakref
from itertools import combinations

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(110)


class Transect:
    """One dive line on a reef: counts by species and a health score."""

    def __init__(self):
        self.counts = torch.poisson(torch.rand(8) * 4)
        self.health = torch.tanh(self.counts[:4].sum() / 10 - self.counts[4:].sum() / 20)


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Linear(12, 1))
        self.scores = weakref.WeakKeyDictionary()

    def score(self, transect):
        if transect not in self.scores:
            self.scores[transect] = self.body(transect.counts.log1p())
        return self.scores[transect]

    def pair_loss(self, a, b):
        sign = 1.0 if a.health > b.health else -1.0
        return nn.functional.softplus(-sign * (self.score(a) - self.score(b))).sum()


def dive(ranker, opt):
    lines = [Transect() for _ in range(4)]
    loss = sum(ranker.pair_loss(a, b) for a, b in combinations(lines, 2)) / 6
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


ranker = Ranker()
opt = torch.optim.Adam(ranker.parameters(), lr=2e-3)
for n in range(1, 901):
    value = dive(ranker, opt)
    if n % 225 == 0:
        print(n, round(value, 3), "kept", len(ranker.scores))
