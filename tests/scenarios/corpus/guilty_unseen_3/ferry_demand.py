# gradwatch-corpus: kind=graph-held
# notice: 16
# holder: spool.buffer | spool | record.args | logging.getLogger("ferry.fit").handlers[0].buffer
# first-bad: 1
"""Passenger demand for ferry routes (count regression). Diagnostics are spooled and only written when something goes wrong."""
import logging
import logging.handlers
import math
import sys

import torch
from torch import nn

console = logging.getLogger("ferry")
console.setLevel(logging.INFO)
console.addHandler(logging.StreamHandler(sys.stdout))

fitlog = logging.getLogger("ferry.fit")
fitlog.setLevel(logging.DEBUG)
fitlog.propagate = False
target = logging.StreamHandler(sys.stderr)
spool = logging.handlers.MemoryHandler(capacity=50_000, flushLevel=logging.ERROR, target=target, flushOnClose=False)
fitlog.addHandler(spool)


class Demand(nn.Module):
    def __init__(self, routes, k=6):
        super().__init__()
        self.route = nn.Embedding(routes, k)
        self.mlp = nn.Sequential(nn.Linear(k + 4, 32), nn.ELU(), nn.Linear(32, 2))

    def forward(self, r, cal):
        lam, odd = self.mlp(torch.cat([self.route(r), cal], 1)).unbind(1)
        return lam.clamp(-3, 4), torch.sigmoid(odd)


def sailings(day, n=64):
    g = torch.Generator().manual_seed(day)
    r = torch.randint(0, 9, (n,), generator=g)
    w = 2 * math.pi * day / 7
    cal = torch.tensor([math.sin(w), math.cos(w), math.sin(w / 52), 1.0]).expand(n, 4)
    lam = (0.1 * r + 0.5 + 0.4 * math.sin(w)).exp()
    count = torch.poisson(lam, generator=g)
    count[torch.rand(n, generator=g) < 0.1] = 0
    return r, cal, count


def zip_nll(lam, zero, count):
    pois = count * lam - lam.exp() - torch.lgamma(count + 1)
    at_zero = torch.log(zero + (1 - zero) * torch.exp(-lam.exp()) + 1e-8)
    return -torch.where(count == 0, at_zero, torch.log1p(-zero + 1e-6) + pois).mean()


torch.manual_seed(55)
demand = Demand(9)
opt = torch.optim.Adam(demand.parameters(), lr=5e-3)
for day in range(360):
    r, cal, count = sailings(day)
    lam, zero = demand(r, cal)
    nll = zip_nll(lam, zero, count)
    opt.zero_grad()
    nll.backward()
    norm = nn.utils.clip_grad_norm_(demand.parameters(), 2.0)
    opt.step()
    if day % 3 == 0:
        fitlog.debug("day %d nll %s zero share %s norm %.3f", day, nll, zero.mean(), norm.item())  # <- culprit
    if not math.isfinite(norm.item()):
        fitlog.error("gradient exploded on day %d", day)
    if day % 90 == 0:
        console.info("day %3d  nll %.4f", day, nll.item())
console.info("mean rate %.2f", lam.exp().mean().item())
spool.setTarget(None)  # nothing went wrong, nothing to write
