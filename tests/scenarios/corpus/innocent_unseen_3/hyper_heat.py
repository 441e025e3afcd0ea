# gradwatch-corpus: kind=none
# about: hypernetwork and double backward; collocation points grow up to 420 and stop
"""A hypernetwork writes the weights of a small field network for each conductivity; trained on the residual of the heat equation.
Points are added where the residual is worst, up to a ceiling."""
import math

import torch
from torch import nn

torch.manual_seed(52)
SHAPES = [(2, 20), (20, 20), (20, 1)]
CEILING = 420


class Writer(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.n = sum(i * o + o for i, o in SHAPES)
        self.net = nn.Sequential(nn.Linear(1, h), nn.SiLU(), nn.Linear(h, self.n))
        self.base = nn.Parameter(torch.cat([torch.cat([torch.randn(i * o) / i ** .5, torch.zeros(o)]) for i, o in SHAPES]))

    def forward(self, kappa):
        flat, out, at = self.base + .1 * self.net(kappa.view(1)), [], 0
        for i, o in SHAPES:
            W = flat[at:at + i * o].view(o, i)
            b = flat[at + i * o:at + i * o + o]
            at += i * o + o
            out.append((W, b))
        return out


def field(weights, xt):
    h = xt
    for n, (W, b) in enumerate(weights):
        h = nn.functional.linear(h, W, b)
        h = torch.tanh(h) if n < 2 else h
    x = xt[:, :1]
    return (x * (1 - x) * h).squeeze(1)


def d(u, v):
    return torch.autograd.grad(u.sum(), v, create_graph=True)[0]


def residual(weights, pts, kappa):
    x, t = (pts[:, i].clone().requires_grad_() for i in (0, 1))
    u = field(weights, torch.stack([x, t], 1))
    ux, ut = torch.autograd.grad(u.sum(), (x, t), create_graph=True)
    return ut - kappa * d(ux, x)


writer = Writer()
opt = torch.optim.Adam(writer.parameters(), lr=4e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 320)
pts = torch.rand(60, 2)
line = torch.linspace(0, 1, 50)
for it in range(320):
    kappa = .05 + .25 * torch.rand(())
    weights = writer(kappa)
    r = residual(weights, pts, kappa)
    start = field(weights, torch.stack([line, torch.zeros(50)], 1)) - torch.sin(math.pi * line)
    loss = r.square().mean() + 20 * start.square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 25 == 24 and len(pts) < CEILING:
        cand = torch.rand(300, 2)
        worst = residual([(W.detach(), b.detach()) for W, b in weights], cand, kappa).detach().abs().topk(40).indices
        pts = torch.cat([pts, cand[worst]])[:CEILING]
    if it % 40 == 0:
        with torch.no_grad():
            k = torch.tensor(.1)
            exact = torch.exp(-k * math.pi ** 2 * .5) * torch.sin(math.pi * line)
            gap = (field(writer(k), torch.stack([line, torch.full((50,), .5)], 1)) - exact).abs().max()
        print(f"it {it} loss {loss.item():.4f} points {len(pts)} gap at t=.5 {gap.item():.4f}")
