# gradwatch-corpus: kind=graph-held
# holder: self.hist | sampler.hist
# first-bad: 1
"""Improved DDPM on a swiss roll: cosine schedule and a loss-second-moment timestep sampler."""
import math
from collections import defaultdict

import torch
import torch.nn as nn

T = 200
KEEP = 10
BATCH = 48
STEPS = 120
LR = 1e-3


def cosine_alphas_bar(T, s=0.008):
    t = torch.arange(T + 1).float() / T
    f = torch.cos((t + s) / (1.0 + s) * math.pi / 2.0) ** 2
    return (f / f[0])[1:].clamp(1e-4, 0.9999)


def swiss_roll(n):
    u = 1.5 * math.pi * (1.0 + 2.0 * torch.rand(n))
    pts = torch.stack([u * u.cos(), u * u.sin()], dim=-1) / 10.0
    return pts + 0.02 * torch.randn(n, 2)


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("freq", torch.exp(-math.log(10000.0) * torch.arange(dim // 2) / (dim // 2)))

    def forward(self, t):
        a = torch.einsum("b,f->bf", t.float(), self.freq)
        return torch.cat([a.sin(), a.cos()], dim=-1)


class EpsNet(nn.Module):
    def __init__(self, width=64, tdim=32):
        super().__init__()
        self.temb = TimeEmbedding(tdim)
        self.inp = nn.Linear(2, width)
        self.films = nn.ModuleList([nn.Linear(tdim, 2 * width) for _ in range(3)])
        self.blocks = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        e = self.temb(t)
        h = self.inp(x)
        for film, block in zip(self.films, self.blocks):
            scale, shift = film(e).chunk(2, dim=-1)
            h = h + torch.nn.functional.silu(block(h) * (1.0 + scale) + shift)
        return self.out(h)


class LossAwareSampler:
    def __init__(self, T, keep, mix=0.2):
        self.T = T
        self.keep = keep
        self.mix = mix
        self.hist = defaultdict(list)

    def weights(self):
        w = torch.ones(self.T)
        if len(self.hist) < self.T // 2:
            return w / self.T
        for t, vals in self.hist.items():
            v = torch.stack(vals).detach()
            w[t] = v.square().mean().sqrt()
        w = w / w.sum()
        return (1.0 - self.mix) * w + self.mix / self.T

    def sample(self, n):
        p = self.weights()
        t = torch.multinomial(p, n, replacement=True)
        return t, 1.0 / (self.T * p[t])

    def record(self, ts, losses):
        for t, value in zip(ts.tolist(), losses.unbind(0)):
            bucket = self.hist[t]
            bucket.append(value)  # <- culprit
            if len(bucket) > self.keep:
                bucket.pop(0)


def train():
    torch.manual_seed(9)
    abar = cosine_alphas_bar(T)
    net = EpsNet()
    opt = torch.optim.AdamW(net.parameters(), lr=LR)
    sampler = LossAwareSampler(T, KEEP)
    meter = []
    for step in range(STEPS):
        x0 = swiss_roll(BATCH)
        t, iw = sampler.sample(BATCH)
        a = abar[t].unsqueeze(-1)
        eps = torch.randn_like(x0)
        xt = a.sqrt() * x0 + (1.0 - a).sqrt() * eps
        per_sample = (net(xt, t) - eps).square().mean(dim=-1)
        loss = (iw * per_sample).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sampler.record(t, per_sample)  # <- culprit
        meter.append(loss.item())
        if (step + 1) % 30 == 0:
            print(f"step {step + 1} loss {sum(meter) / len(meter):.4f} buckets {len(sampler.hist)}")
            meter = []


if __name__ == "__main__":
    train()
