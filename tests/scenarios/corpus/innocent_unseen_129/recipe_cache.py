# gradwatch-corpus: kind=none
import functools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(134)


class TrimmedCache:
    """Cuisine embeddings asked for within a step, plus the last few steps' for the diversity log."""

    def __init__(self, limit):
        self.limit = limit
        self.entries = {}
        self.hits = 0

    def fetch(self, key, make):
        if key in self.entries:
            self.hits += 1
        else:
            self.entries[key] = make()
        return self.entries[key]

    def trim(self):
        if len(self.entries) > self.limit:
            for key in list(self.entries)[:-self.limit // 2]:
                del self.entries[key]


class Cuisine(nn.Module):
    def __init__(self, n=5, dim=10):
        super().__init__()
        self.raw = nn.Parameter(torch.randn(n, dim) * 0.3)
        self.mix = nn.Linear(dim, dim)

    def vectors(self):
        return torch.tanh(self.mix(self.raw))


class Matcher(nn.Module):
    def __init__(self, cache):
        super().__init__()
        self.cache = cache
        self.cuisine = Cuisine()
        self.dish = nn.Sequential(nn.Linear(9, 16), nn.ReLU(), nn.Linear(16, 10))

    def table(self, step):
        return self.cache.fetch(step, self.cuisine.vectors)

    def scores(self, step, dish):
        return self.dish(dish) @ self.table(step).T

    def spread(self, step):
        return torch.pdist(self.table(step)).mean()


class Kitchen:
    def __init__(self, cache):
        self.net = Matcher(cache)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.style = torch.randn(5, 9)
        self.widths = []

    def cook(self, step):
        y = torch.randint(0, 5, (16,))
        x = self.style[y] + 0.6 * torch.randn(16, 9)
        loss = nn.functional.cross_entropy(self.net.scores(step, x), y) - 0.01 * self.net.spread(step)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.net.cache.trim()
        if step % 5 == 0:
            self.widths.append(functools.reduce(torch.add, [v.std() for v in self.net.cache.entries.values()]).item())


kitchen = Kitchen(TrimmedCache(limit=12))
for step in range(800):
    kitchen.cook(step)
print(kitchen.net.cache.hits, kitchen.widths[-1])
