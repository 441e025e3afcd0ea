# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Toy variational diffusion: noise schedule learned jointly, min-SNR weighting after a warm-up."""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(17)


def two_moons(n):
    th = torch.rand(n) * math.pi
    up = torch.rand(n) < 0.5
    x = torch.where(up, th.cos(), 1 - th.cos())
    y = torch.where(up, th.sin(), 0.5 - th.sin())
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


class Schedule(nn.Module):
    """Monotone gamma(t) between learnable end points."""

    def __init__(self):
        super().__init__()
        self.lo = nn.Parameter(torch.tensor(-4.0))
        self.width = nn.Parameter(torch.tensor(2.0))

    def forward(self, t):
        return self.lo + nn.functional.softplus(self.width) * 4 * t

    def snr(self, t):
        return torch.exp(-self.forward(t))


class Denoiser(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, z, gamma):
        return self.net(torch.cat([z, gamma / 5], 1))


class LossWeight:
    def __init__(self, schedule, cap=5.0, warmup=40):
        self.schedule = schedule
        self.cap = cap
        self.warmup = warmup

    def __call__(self, t, step):
        snr = self.schedule.snr(t)
        if step >= self.warmup:
            snr.clamp_(max=self.cap)  # <- culprit
        return snr / (1 + snr)


schedule, denoiser = Schedule(), Denoiser()
weigh = LossWeight(schedule)
params = list(schedule.parameters()) + list(denoiser.parameters())
opt = torch.optim.AdamW(params, lr=2e-3)
losses = []
for step in range(150):
    x = two_moons(64)
    t = torch.rand(64, 1)
    gamma = schedule(t)
    alpha, sigma = torch.sigmoid(-gamma).sqrt(), torch.sigmoid(gamma).sqrt()
    eps = torch.randn_like(x)
    pred = denoiser(alpha * x + sigma * eps, gamma)
    loss = (weigh(t, step) * (pred - eps).pow(2)).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(params, 1.0)
    opt.step()
    losses.append(loss.item())
    if step % 20 == 0:
        print(step, "loss %.4f" % losses[-1], "gamma range %.2f" % schedule(torch.ones(1, 1)).item())
print("done", sum(losses[-20:]) / 20)
