# gradwatch-corpus: kind=graph-chain
# holder: self.mem_k | self.mem_v | model.attn.mem_k | model.attn.mem_v | self.attn.mem_k | self.attn.mem_v
# first-bad: 1
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    window: int = 8
    batch: int = 4
    n_features: int = 5
    dim: int = 24
    n_windows: int = 80
    lr: float = 4e-3
    log_every: int = 16


cfg = Config()
torch.manual_seed(11)


def make_stream(c):
    """electric load of c.batch districts, hour by hour"""
    T = c.n_windows * c.window + 1
    t = torch.arange(T).float()
    load = torch.stack([
        torch.sin(2 * math.pi * t / 24 + ph) + 0.4 * torch.sin(2 * math.pi * t / 168 + 2 * ph)
        for ph in torch.linspace(0, 2, c.batch)
    ])
    load = load + 0.1 * torch.randn_like(load)
    day = torch.stack([torch.sin(2 * math.pi * t / 24), torch.cos(2 * math.pi * t / 24),
                       torch.sin(2 * math.pi * t / 168), torch.cos(2 * math.pi * t / 168)], -1)
    x = torch.cat([load.unsqueeze(-1), day.expand(c.batch, -1, -1)], -1)
    return x, load


class MemoryAttention(nn.Module):
    """Attends over the present window and everything seen before it."""

    def __init__(self, n_in, dim):
        super().__init__()
        self.q = nn.Linear(n_in, dim)
        self.k = nn.Linear(n_in, dim)
        self.v = nn.Linear(n_in, dim)
        self.scale = dim ** -0.5
        self.reset()

    def reset(self):
        self.mem_k = None
        self.mem_v = None

    def remember(self, k, v):
        if self.mem_k is None:
            self.mem_k, self.mem_v = k, v  # <- culprit
        else:
            self.mem_k = torch.cat([self.mem_k, k], dim=1)  # <- culprit
            self.mem_v = torch.cat([self.mem_v, v], dim=1)  # <- culprit
        return self.mem_k, self.mem_v

    def forward(self, x):
        keys, values = self.remember(self.k(x), self.v(x))  # <- culprit
        att = (self.q(x) @ keys.transpose(1, 2)) * self.scale
        return att.softmax(-1) @ values


class Forecaster(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.attn = MemoryAttention(c.n_features, c.dim)
        self.head = nn.Sequential(nn.Linear(c.dim + c.n_features, 32), nn.GELU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.head(torch.cat([self.attn(x), x], -1)).squeeze(-1)


def fit(model, c):
    x, load = make_stream(c)
    opt = torch.optim.AdamW(model.parameters(), lr=c.lr)
    model.attn.reset()
    seen = 0.0
    for w in range(c.n_windows):
        lo, hi = w * c.window, (w + 1) * c.window
        forecast = model(x[:, lo:hi])
        loss = nn.functional.smooth_l1_loss(forecast, load[:, lo + 1:hi + 1])
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        seen += loss.item()
        if (w + 1) % c.log_every == 0:
            print(f"window {w + 1:3d}  loss {seen / c.log_every:.4f}")
            seen = 0.0


fit(Forecaster(cfg), cfg)
