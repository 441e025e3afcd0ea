# gradwatch-corpus: kind=none
"""Two heads look up the same tower within one step through an lru_cache that the loop empties after every update."""
from functools import lru_cache

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(40)


class Tower(nn.Module):
    def __init__(self, scenes):
        super().__init__()
        self.scenes = scenes
        self.net = nn.Sequential(nn.Linear(12, 16), nn.SiLU(), nn.Linear(16, 8))

    @lru_cache(maxsize=8)
    def describe(self, scene: int, side: str):
        return self.net(self.scenes[side][scene])


class Heads(nn.Module):
    def __init__(self, tower):
        super().__init__()
        self.tower = tower
        self.disparity = nn.Linear(16, 1)
        self.same = nn.Bilinear(8, 8, 1)

    def disparity_loss(self, scene, truth):
        both = torch.cat([self.tower.describe(scene, s) for s in ("left", "right")])
        return (self.disparity(both) - truth).square().sum()

    def match_loss(self, scene, other):
        a, b = self.tower.describe(scene, "left"), self.tower.describe(other, "right")
        return nn.functional.softplus(self.same(a, b) * (-1.0 if scene == other else 1.0)).sum()


left = torch.randn(20, 12)
shift = torch.rand(20)
scenes = {"left": left, "right": left + shift[:, None] * torch.ones(12)}
tower = Tower(scenes)
heads = Heads(tower)
opt = torch.optim.Adam(heads.parameters(), lr=2e-3)
for step in range(2000):
    a, b = torch.randperm(20)[:2].tolist()
    loss = heads.disparity_loss(a, shift[a]) + heads.match_loss(a, a) + heads.match_loss(a, b)
    opt.zero_grad()
    loss.backward()
    opt.step()
    tower.describe.cache_clear()
    if step % 500 == 499:
        print(step + 1, round(loss.item(), 3))
