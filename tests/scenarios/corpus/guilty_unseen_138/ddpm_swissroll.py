# gradwatch-corpus: kind=second-backward
# holder: self.cache | model.time.cache | model.temb.cache | self.temb.cache | self.cache[t] | net.temb.cache
# first-bad: 8
# notice: 0
"""Tiny DDPM on the swiss roll; one timestep per batch to keep things simple."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(123)

T = 60
betas = torch.linspace(1e-4, 0.05, T)
alpha_bar = torch.cumprod(1 - betas, 0)


def swiss_roll(n):
    u = 1.5 * math.pi * (1 + 2 * torch.rand(n))
    xy = torch.stack([u * torch.cos(u), u * torch.sin(u)], 1) / 10
    return xy + 0.02 * torch.randn_like(xy)


class TimeEmbedding(nn.Module):
    """Sinusoidal features followed by an MLP; there are only T different inputs."""

    def __init__(self, dim):
        super().__init__()
        half = dim // 2
        self.register_buffer("freqs", torch.exp(-math.log(1000.0) * torch.arange(half) / half))
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, dim))
        self.cache = {}

    def forward(self, t):
        if t not in self.cache:
            ang = t * self.freqs
            self.cache[t] = self.mlp(torch.cat([ang.sin(), ang.cos()]))  # <- culprit
        return self.cache[t]


class Block(nn.Module):
    def __init__(self, width, tdim):
        super().__init__()
        self.lin = nn.Linear(width, width)
        self.scale_shift = nn.Linear(tdim, 2 * width)
        self.norm = nn.LayerNorm(width)

    def forward(self, h, emb):
        s, b = self.scale_shift(emb).chunk(2)
        return h + torch.nn.functional.silu(self.norm(self.lin(h)) * (1 + s) + b)


class Denoiser(nn.Module):
    def __init__(self, width=32, tdim=16, depth=3):
        super().__init__()
        self.temb = TimeEmbedding(tdim)
        self.inp = nn.Linear(2, width)
        self.blocks = nn.ModuleList([Block(width, tdim) for _ in range(depth)])
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        emb = self.temb(t)
        h = self.inp(x)
        for blk in self.blocks:
            h = blk(h, emb)
        return self.out(h)


def q_sample(x0, t, eps):
    return alpha_bar[t].sqrt() * x0 + (1 - alpha_bar[t]).sqrt() * eps


net = Denoiser()
optim = torch.optim.Adam(net.parameters(), lr=1e-3)
ema = None
for step in range(3000):
    t = int(torch.randint(0, T, ()))
    x0 = swiss_roll(32)
    eps = torch.randn_like(x0)
    loss = (net(q_sample(x0, t, eps), t) - eps).pow(2).mean()
    optim.zero_grad()
    loss.backward()
    optim.step()
    ema = loss.item() if ema is None else 0.98 * ema + 0.02 * loss.item()
    if step % 100 == 0:
        print(f"step {step} loss {ema:.4f}", flush=True)
