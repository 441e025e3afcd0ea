# gradwatch-corpus: kind=graph-held
# holder: self.s | meters["bpr"].s | meters["bpr"] | meters
# first-bad: 1
"""BPR baseline v7 (LB 0.1432) - plain MF with item bias, popularity-weighted negatives.
Public kernel, feel free to fork & upvote :)"""
import random
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 2024
random.seed(SEED)
torch.manual_seed(SEED)

CFG = dict(
    n_users=900, n_items=1500, dim=32, bs=512,
    lr=5e-3, wd=1e-6, iters=300, log_every=60, n_clusters=12,
)


# ---------------------------------------------------------------- meters
class Avg:
    """weighted running average, use like:  m += x   /   m += (x, n)"""

    def __init__(self, name, fmt="{:.4f}"):
        self.name, self.fmt = name, fmt
        self.s, self.n = 0.0, 0

    def __iadd__(self, other):
        x, n = other if isinstance(other, tuple) else (other, 1)
        self.s = self.s + x * n  # <- culprit
        self.n += n
        return self

    @property
    def value(self):
        return float(self.s) / max(self.n, 1)

    def __str__(self):
        return f"{self.name}={self.fmt.format(self.value)}"


# ---------------------------------------------------------------- data
def fake_interactions():
    """cluster structure: users like the items of their own cluster"""
    uc = torch.randint(CFG["n_clusters"], (CFG["n_users"],))
    ic = torch.randint(CFG["n_clusters"], (CFG["n_items"],))
    users, items = [], []
    for c in range(CFG["n_clusters"]):
        us = (uc == c).nonzero().flatten()
        its = (ic == c).nonzero().flatten()
        if len(us) == 0 or len(its) == 0:
            continue
        k = 25 * len(us)
        users.append(us[torch.randint(len(us), (k,))])
        items.append(its[torch.randint(len(its), (k,))])
    return torch.cat(users), torch.cat(items)


class PairSampler:
    def __init__(self, users, items):
        self.users, self.items = users, items
        pop = torch.bincount(items, minlength=CFG["n_items"]).float()
        self.neg_p = (pop + 1).pow(0.75)

    def __iter__(self):
        while True:
            ix = torch.randint(len(self.users), (CFG["bs"],))
            neg = torch.multinomial(self.neg_p, CFG["bs"], replacement=True)
            yield self.users[ix], self.items[ix], neg


# ---------------------------------------------------------------- model
class MF(nn.Module):
    def __init__(self):
        super().__init__()
        self.u = nn.Embedding(CFG["n_users"], CFG["dim"])
        self.i = nn.Embedding(CFG["n_items"], CFG["dim"])
        self.b = nn.Embedding(CFG["n_items"], 1)
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.05)
        nn.init.zeros_(self.b.weight)

    def forward(self, u, i):
        return (self.u(u) * self.i(i)).sum(-1) + self.b(i).squeeze(-1)


def bpr(model, u, i, j):
    pos, neg = model(u, i), model(u, j)
    loss = -F.logsigmoid(pos - neg).mean()
    auc = (pos > neg).float().mean().item()
    return loss, auc


def main():
    t0 = time.time()
    users, items = fake_interactions()
    print(f"{len(users)} interactions")
    sampler = iter(PairSampler(users, items))
    model = MF()
    opt = torch.optim.AdamW(model.parameters(), lr=CFG["lr"], weight_decay=CFG["wd"])
    meters = {"bpr": Avg("bpr"), "auc": Avg("auc", "{:.3f}")}

    for it in range(CFG["iters"]):
        u, i, j = next(sampler)
        loss, auc = bpr(model, u, i, j)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meters["bpr"] += (loss, len(u))  # <- culprit
        meters["auc"] += auc, len(u)
        if (it + 1) % CFG["log_every"] == 0:
            print(f"[{it + 1:4d}] " + " ".join(map(str, meters.values())) + f"  {time.time() - t0:.1f}s")

    with torch.no_grad():
        scores = model.u.weight[:5] @ model.i.weight.T + model.b.weight.T
        print("top items of first users:", scores.topk(3).indices.tolist())


if __name__ == "__main__":
    main()
