# gradwatch-corpus: kind=none
"""Adversarial source separation: the critic hears clean or estimated sources.
R1-style penalty on real excerpts every few steps; history pool of past estimates."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(71)
rng = random.Random(71)
LEN = 96


def voices(n):
    t = torch.arange(LEN) / LEN
    f = 3 + 5 * torch.rand(n, 1)
    v = torch.sin(2 * math.pi * f * t + 6.28 * torch.rand(n, 1)) * (0.6 + 0.4 * torch.sin(12 * t))
    noise = F.avg_pool1d(torch.randn(n, 1, LEN + 2), 3, 1).squeeze(1)
    return v, v + 0.7 * noise


def conv(i, o, k=9, d=1):
    return nn.Conv1d(i, o, k, padding=d * (k // 2), dilation=d)


class Separator(nn.Sequential):
    def __init__(self, w=12):
        super().__init__(conv(1, w), nn.PReLU(), conv(w, w, 5, 4), nn.PReLU(), conv(w, 1))

    def forward(self, mix):
        return super().forward(mix.unsqueeze(1)).squeeze(1)


class Critic(nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Conv1d(1, w, 8, 4), nn.Conv1d(w, w, 8, 4)])
        self.out = nn.Linear(w, 1)

    def forward(self, x, features=False):
        h, feats = x.unsqueeze(1), []
        for b in self.blocks:
            h = F.softplus(b(h))
            feats.append(h)
        score = self.out(h.mean(-1)).squeeze(-1)
        return (score, feats) if features else score


class EstimatePool:
    def __init__(self, size):
        self.size, self.items = size, []

    def mix(self, est):
        out = []
        for e in est.detach():
            if len(self.items) < self.size:
                self.items.append(e)
                out.append(e)
            elif rng.random() < 0.5:
                j = rng.randrange(self.size)
                out.append(self.items[j])
                self.items[j] = e
            else:
                out.append(e)
        return torch.stack(out)


def penalty(critic, real):
    real = real.clone().requires_grad_()
    g, = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return g.pow(2).sum(-1).mean()


def main(steps=300):
    sep, critic = Separator(), Critic()
    opt_s = torch.optim.Adam(sep.parameters(), lr=2e-3, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    pool, curve = EstimatePool(64), {"sep": [], "critic": [], "r1": []}
    for it in range(steps):
        clean, mix = voices(6)
        est = sep(mix)

        loss_c = F.softplus(critic(pool.mix(est))).mean() + F.softplus(-critic(clean)).mean()
        if it % 4 == 0:
            r1 = penalty(critic, clean)
            curve["r1"].append(r1.detach())
            loss_c = loss_c + 0.5 * 4 * r1
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()

        for p in critic.parameters():
            p.requires_grad_(False)
        score, fake = critic(est, features=True)
        with torch.no_grad():
            _, real = critic(clean, features=True)
        match = sum(F.l1_loss(a, b) for a, b in zip(fake, real))
        loss_s = F.l1_loss(est, clean) + 0.05 * F.softplus(-score).mean() + 0.1 * match
        opt_s.zero_grad()
        loss_s.backward()
        opt_s.step()
        for p in critic.parameters():
            p.requires_grad_(True)

        curve["sep"].append(loss_s.detach())
        curve["critic"].append(loss_c.detach())
        if it % 60 == 59:
            print(it + 1, {k: round(torch.stack(v[-30:]).mean().item(), 4) for k, v in curve.items()})


if __name__ == "__main__":
    main()
