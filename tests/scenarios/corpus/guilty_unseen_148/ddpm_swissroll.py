# gradwatch-corpus: kind=graph-held
# holder: self.total | self.bins.total | diff.bins.total
# first-bad: 1
# notice: 8
"""DDPM on a 2-d swiss roll, with a per-timestep-bin picture of the loss."""
import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn


def swiss_roll(n):
    a = 1.5 * math.pi * (1 + 2 * torch.rand(n))
    return torch.stack([a * a.cos(), a * a.sin()], 1) / 10 + 0.02 * torch.randn(n, 2)


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("w", torch.exp(torch.linspace(0, -6, dim // 2)))
        self.proj = nn.Linear(dim, dim)

    def forward(self, t):
        ang = t[:, None].float() * self.w
        return self.proj(torch.cat([ang.sin(), ang.cos()], -1))


class Denoiser(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.time = TimeEmbedding(dim)
        self.inp = nn.Linear(2, dim)
        self.mid = nn.ModuleList(nn.Linear(dim, dim) for _ in range(2))
        self.out = nn.Linear(dim, 2)

    def forward(self, x, t):
        h = self.inp(x)
        e = self.time(t)
        for layer in self.mid:
            h = h + F.silu(layer(h + e))
        return self.out(h)


class TimestepBins:
    def __init__(self, T, n_bins=8):
        self.T, self.n_bins = T, n_bins
        self.total = torch.zeros(n_bins)
        self.count = torch.zeros(n_bins)

    def update(self, t, per_sample):
        idx = t * self.n_bins // self.T
        self.total.index_add_(0, idx, per_sample)  # <- culprit
        self.count.index_add_(0, idx, torch.ones_like(per_sample))

    def table(self):
        return [round(v, 3) for v in (self.total / self.count.clamp(min=1)).tolist()]


class Diffusion:
    def __init__(self, T):
        self.T = T
        self.abar = torch.cumprod(1 - torch.linspace(1e-4, 0.05, T), 0)
        self.bins = TimestepBins(T)

    def loss(self, model, x0):
        t = torch.randint(0, self.T, (len(x0),))
        eps = torch.randn_like(x0)
        a = self.abar[t][:, None]
        pred = model(a.sqrt() * x0 + (1 - a).sqrt() * eps, t)
        per_sample = (pred - eps).square().mean(1)
        self.bins.update(t, per_sample)  # <- culprit
        return per_sample.mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=110)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(8)
    model, diff = Denoiser(), Diffusion(100)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for step in range(args.steps):
        loss = diff.loss(model, swiss_roll(64))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 49:
            print(step + 1, f"{loss.item():.3f}", diff.bins.table())


if __name__ == "__main__":
    main()
