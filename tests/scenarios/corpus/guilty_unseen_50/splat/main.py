# gradwatch-corpus: kind=graph-held
# holder: self.fr | rec.fr
# first-bad: 1
# notice: 20
import argparse

import torch

from rend import Over, raster
from viz import Rec


def target(n):
    r = torch.linspace(-1, 1, n)
    yy, xx = torch.meshgrid(r, r, indexing="ij")
    disc = ((xx - 0.2) ** 2 + (yy + 0.1) ** 2 < 0.25).float()
    bar = ((xx + yy).abs() < 0.15).float()
    return torch.stack([disc, bar, 0.5 * disc * (1 - bar)])


def init(G, seed):
    g = torch.Generator().manual_seed(seed)
    p = {
        "c": 1.2 * torch.rand(G, 2, generator=g) - 0.6,
        "ls": torch.full((G, 2), -1.6),
        "rot": torch.zeros(G),
        "col": torch.randn(G, 3, generator=g) * 0.3,
        "op": torch.zeros(G),
    }
    return {k: v.requires_grad_() for k, v in p.items()}


ap = argparse.ArgumentParser()
ap.add_argument("--n", type=int, default=32)
ap.add_argument("--G", type=int, default=24)
ap.add_argument("--iters", type=int, default=100)
ap.add_argument("--seed", type=int, default=0)
a = ap.parse_args()

I0 = target(a.n)
p = init(a.G, a.seed)
opt = torch.optim.Adam(
    [{"params": [p["c"], p["rot"]], "lr": 1e-2}, {"params": [p["ls"], p["col"], p["op"]], "lr": 4e-2}]
)
rec = Rec(every=5)

for it in range(a.iters):
    al, col = raster(p, a.n)
    img = Over.apply(al, col)
    l = (img - I0).abs().mean() + 0.2 * (img - I0).pow(2).mean()
    opt.zero_grad()
    l.backward()
    opt.step()
    rec.keep(it, img)  # <- culprit
    if it % 20 == 0:
        print(f"it {it:4d} l {l.item():.4f} psnr {rec.psnr(I0):.2f}")

print("frames", len(rec.fr), "final psnr", round(rec.psnr(I0), 2))
print("total motion", round(rec.motion(), 3))
