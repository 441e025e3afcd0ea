# gradwatch-corpus: kind=none
# Locating events in unknown crusts: meta-learned travel-time corrector, inner loop on picks of one region.
from collections import ChainMap
from functools import reduce

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

torch.set_num_threads(1)
torch.manual_seed(64)
S, B, INNER, STEPS = 16, 6, 3, 200


class Corrector(nn.Module):
    def __init__(self, h=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, 1))

    def forward(self, x):
        d = (x[..., :2] - x[..., 2:]).norm(dim=-1)
        return d * (1 + self.net(x).squeeze(-1))


def regions(n):
    """Slowness field = tilted plane + bump; picks are travel times along straight rays."""
    tilt, c = 0.3 * torch.randn(n, 1, 2), torch.rand(n, 1, 2)

    def picks(m):
        x = torch.rand(n, m, 4)
        a, b = x[..., :2], x[..., 2:]
        mid = (a + b) / 2
        slow = 1 + (mid * tilt).sum(-1) + 0.4 * torch.exp(-8 * (mid - c).square().sum(-1))
        return x, (a - b).norm(dim=-1) * slow + 0.01 * torch.randn(n, m)

    return picks(S), picks(S)


def misfit(w, x, t):
    return F.smooth_l1_loss(functional_call(f, w, (x,)), t, beta=0.2)


def descend(rate, x, t):
    def once(w, _):
        g = grad(misfit)(w, x, t)
        return {k: w[k] - F.softplus(rate[k]) * g[k] for k in w}
    return once


def adapted(w, rate, x, t):
    """Unrolled inner loop: all the intermediate weights, the given ones first."""
    path, step = [w], descend(rate, x, t)
    for i in range(INNER):
        path.append(step(path[-1], i))
    return path


def outer(w, rate, sx, st, qx, qt):
    path = adapted(w, rate, sx, st)
    per = torch.stack([misfit(p, qx, qt) for p in path[1:]])
    return per @ gamma, per


f = Corrector()
gamma = torch.tensor([0.2, 0.3, 0.5])
slow = dict(f.named_parameters())
rate = {k: torch.full((), -2.0, requires_grad=True) for k in slow}
opt = torch.optim.Adam(list(slow.values()) + list(rate.values()), lr=3e-3)

trail = ChainMap()
polyak = {k: p.detach().clone() for k, p in slow.items()}
for step in range(STEPS):
    (sx, st), (qx, qt) = regions(B)
    L, per = vmap(outer, in_dims=(None, None, 0, 0, 0, 0))(slow, rate, sx, st, qx, qt)
    meta = L.mean() + 1e-4 * reduce(torch.add, (r.square() for r in rate.values()))
    opt.zero_grad()
    meta.backward()
    opt.step()
    polyak = {k: torch.lerp(polyak[k], p.detach(), 0.05) for k, p in slow.items()}
    trail = trail.new_child({"meta": meta.item(), "per": per.detach().mean(0)})
    if step % 40 == 0:
        print(f"{step:4d} meta {trail['meta']:.5f} per inner step {[round(v, 5) for v in trail['per'].tolist()]}")

curve = [m["meta"] for m in trail.maps if m][::-1]
(sx, st), (qx, qt) = regions(1)
last = adapted(polyak, {k: r.detach() for k, r in rate.items()}, sx[0], st[0])[-1]
with torch.no_grad():
    print(f"first {curve[0]:.5f} last {curve[-1]:.5f} fresh region {misfit(last, qx[0], qt[0]).item():.5f}")
