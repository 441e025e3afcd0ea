# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""DDPM on 2-D two-moons points; EMA weights tracked and compared each step."""
import copy
import math

import torch
from torch import nn


def two_moons(n):
    t = torch.rand(n) * math.pi
    up = torch.rand(n) < 0.5
    x = torch.where(up, t.cos(), 1 - t.cos())
    y = torch.where(up, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], -1) + 0.05 * torch.randn(n, 2)


class EpsNet(nn.Module):
    def __init__(self, width=96, steps=64):
        super().__init__()
        self.temb = nn.Embedding(steps, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        h = self.inp(x) + self.temb(t)
        for m in self.mid:
            h = h + torch.nn.functional.silu(m(h))
        return self.out(h)


class Diffusion:
    def __init__(self, steps=64):
        beta = torch.linspace(1e-4, 0.06, steps)
        self.abar = torch.cumprod(1 - beta, 0)
        self.steps = steps

    def corrupt(self, x0):
        t = torch.randint(0, self.steps, (len(x0),))
        a = self.abar[t].unsqueeze(-1)
        eps = torch.randn_like(x0)
        return a.sqrt() * x0 + (1 - a).sqrt() * eps, t, eps


class EMA:
    def __init__(self, net, beta=0.98):
        self.net = copy.deepcopy(net)
        self.beta = beta

    @torch.no_grad()
    def update(self, net):
        for e, p in zip(self.net.parameters(), net.parameters()):
            e.mul_(self.beta).add_(p, alpha=1 - self.beta)

    def score(self, xt, t, eps):
        pred = self.net(xt, t)  # <- culprit
        return (pred - eps).pow(2).mean().item()


def main():
    torch.manual_seed(17)
    net, diff = EpsNet(), Diffusion()
    ema = EMA(net)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    curve = []
    for it in range(150):
        xt, t, eps = diff.corrupt(two_moons(256))
        loss = (net(xt, t) - eps).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(net)
        curve.append((loss.item(), ema.score(xt, t, eps)))  # <- culprit
        if it % 30 == 0:
            print(it, "live %.4f ema %.4f" % curve[-1])


if __name__ == "__main__":
    main()
