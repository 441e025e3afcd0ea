# gradwatch-corpus: kind=none
"""Minimal DDPM on a 2d checkerboard with EMA weights."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2020)


class PosEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freqs", torch.exp(-math.log(10000) * torch.arange(dim // 2) / (dim // 2)))

    def forward(self, t):
        a = t[:, None].float() * self.freqs[None]
        return torch.cat([a.sin(), a.cos()], 1)


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.ff, self.act = nn.Linear(d, d), nn.GELU()

    def forward(self, x):
        return x + self.act(self.ff(x))


class EpsModel(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.emb = PosEmb(32)
        self.net = nn.Sequential(nn.Linear(2 + 32, d), Block(d), Block(d), nn.Linear(d, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.emb(t)], 1))


class NoiseScheduler:
    def __init__(self, T=40, lo=1e-4, hi=0.05):
        self.T = T
        self.betas = torch.linspace(lo, hi, T)
        self.alphas = 1 - self.betas
        self.abar = self.alphas.cumprod(0)

    def add_noise(self, x, eps, t):
        return self.abar[t].sqrt()[:, None] * x + (1 - self.abar[t]).sqrt()[:, None] * eps

    def reverse(self, eps, t, x):
        mean = (x - self.betas[t] / (1 - self.abar[t]).sqrt() * eps) / self.alphas[t].sqrt()
        return mean if t == 0 else mean + self.betas[t].sqrt() * torch.randn_like(x)


class EMA:
    def __init__(self, model, decay=0.99):
        self.shadow, self.decay = copy.deepcopy(model).requires_grad_(False), decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def checkerboard(n):
    x = torch.rand(n, 2) * 4 - 2
    keep = (x.floor().sum(1) % 2 == 0)
    return x[keep]


model, sched = EpsModel(), NoiseScheduler()
ema = EMA(model)
opt = torch.optim.AdamW(model.parameters(), 1e-3)
for step in range(250):
    x = checkerboard(200)
    eps = torch.randn_like(x)
    t = torch.randint(0, sched.T, (len(x),))
    loss = F.mse_loss(model(sched.add_noise(x, eps, t), t), eps)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad()
    ema.update(model)
    if step % 50 == 0:
        print(step, round(loss.item(), 4))

frames = []
with torch.no_grad():
    x = torch.randn(100, 2)
    for i in reversed(range(sched.T)):
        x = sched.reverse(ema.shadow(x, torch.full((100,), i)), i, x)
        frames.append(x.numpy())
print("sample std", frames[-1].std())
