# gradwatch-corpus: kind=none
"""Diffusion on two moons: activation checkpointing, gradient accumulation over 3 micro-batches, EMA weights, DDIM samples."""
import copy
import math

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(800)

STEPS, ACCUM = 40, 3


def two_moons(n):
    a = math.pi * torch.rand(n)
    up = torch.rand(n) < 0.5
    x = torch.where(up, a.cos(), 1 - a.cos())
    y = torch.where(up, a.sin(), 0.5 - a.sin())
    return torch.stack([x - 0.5, y - 0.25], 1) + 0.04 * torch.randn(n, 2)


class ResMLP(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.net = nn.Sequential(nn.LayerNorm(w), nn.Linear(w, w), nn.GELU(), nn.Linear(w, w))
        self.film = nn.Linear(8, w)

    def forward(self, h, e):
        return h + self.net(h + self.film(e))


class EpsModel(nn.Module):
    def __init__(self, w=24, depth=3):
        super().__init__()
        self.inp, self.out = nn.Linear(2, w), nn.Linear(w, 2)
        self.blocks = nn.ModuleList(ResMLP(w) for _ in range(depth))

    @staticmethod
    def embed(t):
        f = 2.0 ** torch.arange(4) * t[:, None] / STEPS
        return torch.cat([f.sin(), f.cos()], 1)

    def forward(self, x, t):
        e = self.embed(t.float())
        h = self.inp(x)
        for b in self.blocks:
            h = checkpoint(b, h, e, use_reentrant=False) if self.training else b(h, e)
        return self.out(h)


class EMA:
    def __init__(self, model, decay=0.99):
        self.shadow = copy.deepcopy(model).eval().requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


abar = torch.cos(torch.linspace(0, 1, STEPS + 1)[:STEPS] * math.pi / 2 * 0.98) ** 2


@torch.no_grad()
def ddim(model, n, stride=4):
    x = torch.randn(n, 2)
    ts = list(range(STEPS - 1, -1, -stride))
    for t, s in zip(ts, ts[1:] + [None]):
        eps = model(x, torch.full((n,), t))
        x0 = (x - (1 - abar[t]).sqrt() * eps) / abar[t].sqrt()
        x = x0 if s is None else abar[s].sqrt() * x0 + (1 - abar[s]).sqrt() * eps
    return x


def micro_loss(model, n=24):
    x0, t, eps = two_moons(n), torch.randint(0, STEPS, (n,)), torch.randn(n, 2)
    a = abar[t][:, None]
    return (model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t) - eps).pow(2).mean()


model = EpsModel().train()
ema = EMA(model)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
window = []
for update in range(420):
    opt.zero_grad()
    for _ in range(ACCUM):
        loss = micro_loss(model) / ACCUM
        loss.backward()
        window.append(loss.detach() * ACCUM)
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    ema.update(model)
    if update % 70 == 69:
        s = ddim(ema.shadow, 200)
        print(f"update {update + 1} eps-mse {torch.stack(window).mean():.4f} sample std {s.std(0).tolist()}")
        window.clear()
