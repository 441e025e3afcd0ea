# gradwatch-corpus: kind=inplace-modified
# holder: feat
# first-bad: 14
# notice: 0
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(88)

HEADS, SHAPERS = {}, {}


def provides(table, key):
    def inner(obj):
        table[key] = obj
        return obj
    return inner


@provides(SHAPERS, "unit")
def unit(feat, batch):
    return F.normalize(feat, dim=1)


@provides(SHAPERS, "drop-sick")
def drop_sick(feat, batch):
    sick = batch.cow_health < -2.6
    if sick.any():
        feat.masked_fill_(sick[:, None], 0.0)  # <- culprit
    return feat


@provides(HEADS, "fat")
class Fat(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, 1)

    def loss(self, feat, batch):
        return F.mse_loss(self.lin(feat).squeeze(1), batch.fat)


@provides(HEADS, "breed")
class Breed(nn.Module):
    def __init__(self, width, breeds):
        super().__init__()
        self.lin = nn.Linear(width, breeds)

    def loss(self, feat, batch):
        return F.cross_entropy(self.lin(feat), batch.breed)


@dataclass
class Batch:
    milk: torch.Tensor
    cow_health: torch.Tensor
    fat: torch.Tensor
    breed: torch.Tensor


class Parlour:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def __call__(self, n=6):
        milk = torch.randn(n, 9, generator=self.g)
        breed = (milk[:, 0] > 0).long() + (milk[:, 1] > 0.5).long()
        return Batch(milk, torch.randn(n, generator=self.g), milk[:, 2] * milk[:, 3], breed)


class Assayer(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 14), nn.Sigmoid())
        self.heads = nn.ModuleDict({h["name"]: HEADS[h["name"]](**{k: v for k, v in h.items() if k != "name"})
                                    for h in cfg["heads"]})
        self.shapers = cfg["shapers"]

    def losses(self, batch):
        feat = self.trunk(batch.milk)
        for name in self.shapers:
            feat = SHAPERS[name](feat, batch)
        return {k: h.loss(feat, batch) for k, h in self.heads.items()}


net = Assayer({"heads": [{"name": "fat", "width": 14}, {"name": "breed", "width": 14, "breeds": 3}],
               "shapers": ["drop-sick"]})
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
milking = Parlour(12)
for _ in range(500):
    total = sum(net.losses(milking()).values())
    opt.zero_grad()
    total.backward()
    opt.step()
print(total.item())
