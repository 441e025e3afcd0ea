# gradwatch-corpus: kind=graph-chain
# holder: self.particles | sampler.particles | self.sampler.particles | trainer.sampler.particles
"""EBM on 2D toy data with persistent contrastive divergence."""
import math

import torch
from torch import nn, optim


class Energy(nn.Module):
    def __init__(self, dim=2, h=192):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(dim, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1)


class LangevinSampler:
    def __init__(self, n=128, dim=2, k=3, step=0.05):
        self.k, self.step = k, step
        self.particles = torch.randn(n, dim).requires_grad_()

    def sample(self, energy):
        x = self.particles
        for _ in range(self.k):
            grad = torch.autograd.grad(energy(x).sum(), x)[0]
            x = x - self.step * grad + math.sqrt(2 * self.step) * 0.01 * torch.randn_like(x)  # <- culprit
        self.particles = x  # <- culprit
        return x  # <- culprit


class Trainer:
    def __init__(self):
        self.energy = Energy()
        self.sampler = LangevinSampler()
        self.opt = optim.Adam(self.energy.parameters(), lr=1e-3, betas=(0.0, 0.99))

    def data(self, n=128):
        th = torch.rand(n) * 2 * math.pi
        return torch.stack([th.cos(), th.sin()], 1) + 0.05 * torch.randn(n, 2)

    def step(self):
        real = self.data()
        fake = self.sampler.sample(self.energy)  # <- culprit
        e_pos, e_neg = self.energy(real), self.energy(fake)
        loss = e_pos.mean() - e_neg.mean() + 0.1 * (e_pos ** 2 + e_neg ** 2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def fit(self, steps):
        for s in range(steps):
            l = self.step()
            if s % 40 == 0:
                print(f"{s:4d} {l:+.4f}")


torch.manual_seed(7)
trainer = Trainer()
trainer.fit(160)
