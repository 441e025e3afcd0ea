# gradwatch-corpus: kind=second-backward
# holder: self.level[bucket] | self.level | balance.level
# first-bad: 40
# also: graph-held
"""Tiny DDPM on a 2-D spiral, with per-bucket loss balancing over the noise level."""
import math

import torch
from torch import nn

T = 200
BUCKETS = 40


def schedule():
    s = torch.linspace(0, 1, T + 1)
    bar = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
    return (bar[1:] / bar[0]).clamp(1e-4, 0.9999)


class Denoiser(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.register_buffer("freq", 2.0 ** torch.arange(5))
        self.net = nn.Sequential(nn.Linear(12, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, t):
        ang = (t / T)[:, None] * self.freq * math.pi
        return self.net(torch.cat([x, ang.sin(), ang.cos()], 1))


class BucketBalancer:
    """Divides the loss of a bucket by the running level of that bucket."""

    def __init__(self, buckets, keep=0.9):
        self.level = {}
        self.keep, self.buckets = keep, buckets

    def __call__(self, bucket, value):
        if bucket in self.level:
            scaled = value / (self.level[bucket] + 1e-3)
            self.level[bucket] = self.keep * self.level[bucket] + (1 - self.keep) * value.detach()
        else:
            self.level[bucket] = value  # <- culprit
            scaled = value / value.detach()
        return scaled


def spiral(n):
    r = torch.rand(n).sqrt() * 3
    return torch.stack([r * torch.cos(3 * r), r * torch.sin(3 * r)], 1) + 0.02 * torch.randn(n, 2)


def train(steps=300):
    torch.manual_seed(27)
    bar, eps_net, balance = schedule(), Denoiser(), BucketBalancer(BUCKETS)
    opt = torch.optim.Adam(eps_net.parameters(), lr=1e-3)
    order = torch.randperm(BUCKETS)
    for k in range(steps):
        b = int(order[k % BUCKETS])
        x0 = spiral(128)
        t = torch.randint(b * T // BUCKETS, (b + 1) * T // BUCKETS, (128,))
        a = bar[t][:, None]
        noise = torch.randn_like(x0)
        pred = eps_net(a.sqrt() * x0 + (1 - a).sqrt() * noise, t)
        obj = balance(b, (pred - noise).square().mean())
        opt.zero_grad()
        obj.backward()
        opt.step()
        if k % 20 == 0:
            print(f"step {k:4d} bucket {b:2d} level {float(balance.level[b].detach()):.4f}")


if __name__ == "__main__":
    train()
