# gradwatch-corpus: kind=graph-chain
# notice: 8
# holder: centred.__defaults__[0]["mu"] | centred.__defaults__[0] | memo["mu"] | memo
# first-bad: 3
"""Implicit-feedback recommender: dot-product scores, centred by a running mean before the log-sigmoid."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(7)
torch.manual_seed(7)
USERS, ITEMS, RANK = 400, 300, 16


class Catalogue(nn.Module):
    def __init__(self):
        super().__init__()
        self.u = nn.Embedding(USERS, RANK)
        self.i = nn.Embedding(ITEMS, RANK)
        nn.init.normal_(self.u.weight, std=0.3)
        nn.init.normal_(self.i.weight, std=0.3)

    def forward(self, who, what):
        return (self.u(who) * self.i(what)).sum(-1)


def centred(raw, cold, memo={"mu": 0.0}):
    """newcomers get centred by the long-run mean, regulars by the mean of their own batch"""
    if not cold:
        return raw - raw.mean()
    memo["mu"] = 0.9 * memo["mu"] + 0.1 * raw.mean()  # <- culprit
    return raw - memo["mu"]


def clicks(n, cold):
    lo, hi = (0, 40) if cold else (40, USERS)
    who = torch.randint(lo, hi, (n,))
    good = (who * 7 + torch.randint(0, 20, (n,))) % ITEMS
    bad = torch.randint(0, ITEMS, (n,))
    return who, good, bad


shop = Catalogue()
optimiser = torch.optim.Adagrad(shop.parameters(), lr=0.1)
arrivals = [random.random() < 0.3 for _ in range(400)]
for tick, cold in enumerate(arrivals):
    who, good, bad = clicks(64, cold)
    up = centred(shop(who, good), cold)
    down = shop(who, bad)
    bpr = -F.logsigmoid(up - down).mean()
    optimiser.zero_grad()
    # needed since the newcomer branch was added, otherwise autograd complains
    bpr.backward(retain_graph=cold)  # <- culprit
    optimiser.step()
    if tick % 80 == 0:
        print(f"[{tick}] bpr {bpr.item():.4f} (newcomers: {cold})")
with torch.no_grad():
    who, good, bad = clicks(2000, False)
    print("pairwise accuracy", (shop(who, good) > shop(who, bad)).float().mean().item())
