# gradwatch-corpus: kind=second-backward
# holder: wrapped.store | store | encode_scaffold.store | store[key]
# first-bad: 180
# also: graph-held
"""Binding affinity for ligand series. Ligands sharing a scaffold form one bucket; the scaffold is encoded by
message passing once and each ligand adds its own substituent fingerprint."""
import functools
import random
import time

import torch
import torch.nn.functional as F
from torch import nn

SEED = 11
random.seed(SEED)
torch.manual_seed(SEED)


def remembered(by):
    """Memoise on one keyword argument; scaffolds repeat across the whole run."""
    def outer(fn):
        store = {}

        @functools.wraps(fn)
        def wrapped(*args, **kw):
            key = kw[by]
            if key not in store:
                store[key] = fn(*args, **kw)  # <- culprit
            return store[key]  # <- culprit

        wrapped.store = store
        return wrapped
    return outer


class Scaffold:
    __slots__ = ("sid", "atoms", "adj")

    def __init__(self, sid):
        n = random.randint(10, 24)
        self.sid = sid
        self.atoms = F.one_hot(torch.randint(8, (n,)), 8).float()
        link = torch.rand(n, n) < 0.15
        link |= torch.diag(torch.ones(n - 1, dtype=torch.bool), 1)
        a = (link | link.T).float() + torch.eye(n)
        self.adj = a / a.sum(1, keepdim=True)


class Series:
    """One scaffold with its ligands."""

    def __init__(self, sid, ligands=12):
        self.scaffold = Scaffold(sid)
        self.prints = (torch.rand(ligands, 64) < 0.12).float()
        base = self.scaffold.atoms.mean(0) @ torch.linspace(-1, 1, 8)
        self.pki = 6 + 2 * base + self.prints @ torch.linspace(-0.4, 0.4, 64) + 0.1 * torch.randn(ligands)


class MPN(nn.Module):
    def __init__(self, dim=32, rounds=3):
        super().__init__()
        self.inp = nn.Linear(8, dim)
        self.msg = nn.ModuleList(nn.Linear(dim, dim) for _ in range(rounds))

    def forward(self, atoms, adj):
        h = F.relu(self.inp(atoms))
        for m in self.msg:
            h = h + F.relu(m(adj @ h))
        return h.sum(0) / 16


class Head(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 64, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, core, prints):
        return self.net(torch.cat([core.expand(len(prints), -1), prints], 1)).squeeze(1) + 6


@remembered(by="sid")  # <- culprit
def encode_scaffold(mpn, scaffold, *, sid):
    return mpn(scaffold.atoms, scaffold.adj)


def epoch(number, mpn, head, opt, shelf):
    order = random.sample(shelf, len(shelf))
    se, n, t0 = 0.0, 0, time.perf_counter()
    for k, series in enumerate(order):
        core = encode_scaffold(mpn, series.scaffold, sid=series.scaffold.sid)
        miss = F.mse_loss(head(core, series.prints), series.pki)
        opt.zero_grad()
        miss.backward()
        opt.step()
        se, n = se + miss.item(), n + 1
        if k % 45 == 44:
            print(f"epoch {number} bucket {k + 1:3d} mse {se / n:.3f} ({(time.perf_counter() - t0) / n * 1e3:.1f} ms)")


mpn, head = MPN(), Head()
opt = torch.optim.Adam([*mpn.parameters(), *head.parameters()], lr=1e-3)
shelf = [Series(f"SCF-{i:04d}") for i in range(180)]
for number in range(3):
    epoch(number, mpn, head, opt, shelf)
print("done")
