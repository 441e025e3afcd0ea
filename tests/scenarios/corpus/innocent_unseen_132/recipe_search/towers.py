import torch
from torch import nn


class Kitchen:
    def __init__(self, recipes, ingredients=16):
        self.bags = (torch.rand(recipes, ingredients) < 0.25).float()

    def __len__(self):
        return len(self.bags)


def basket(kitchen, queries):
    for _ in range(queries):
        r = int(torch.randint(0, len(kitchen), ()))
        keep = (torch.rand(kitchen.bags.shape[1]) < 0.8).float()
        yield kitchen.bags[r] * keep, r


class TwoTower(nn.Module):
    def __init__(self, kitchen, dim=10):
        super().__init__()
        n = kitchen.bags.shape[1]
        self.kitchen = kitchen
        self.q = nn.Linear(n, dim)
        self.r = nn.Sequential(nn.Linear(n, dim), nn.Tanh(), nn.Linear(dim, dim))
        self._vectors = {}
        self.hits = self.misses = 0

    def recipe_vector(self, r):
        if r in self._vectors:
            self.hits += 1
        else:
            self.misses += 1
            self._vectors[r] = self.r(self.kitchen.bags[r])
        return self._vectors[r]

    def forget(self):
        self._vectors.clear()

    def rank_loss(self, query, recipe, rivals):
        others = torch.randint(0, len(self.kitchen), (rivals,)).tolist()
        table = torch.stack([self.recipe_vector(r) for r in [recipe] + others])
        scores = table @ self.q(query)
        return nn.functional.cross_entropy(scores.unsqueeze(0), torch.zeros(1, dtype=torch.long))
