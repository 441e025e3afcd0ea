# gradwatch-corpus: kind=graph-chain
# holder: self.particles | sampler.particles
# first-bad: 1
import math
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    n_particles: int = 128
    langevin_steps: int = 5
    step_size: float = 0.05
    noise: float = 0.02
    batch: int = 128
    iters: int = 120
    lr: float = 1e-3
    seed: int = 4


class Energy(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.body(x).squeeze(-1)


class PersistentSampler:
    """Langevin chains that carry on from where the last iteration left them."""

    def __init__(self, energy, cfg):
        self.energy = energy
        self.cfg = cfg
        self.particles = torch.randn(cfg.n_particles, 2, requires_grad=True)

    def sample(self):
        x = self.particles  # <- culprit
        for _ in range(self.cfg.langevin_steps):
            grad, = torch.autograd.grad(self.energy(x).sum(), x)
            x = x - self.cfg.step_size * grad + self.cfg.noise * torch.randn_like(x)
        self.particles = x  # <- culprit
        return x  # <- culprit


def rings(n):
    r = torch.where(torch.rand(n) < 0.5, 1.0, 2.0) + 0.05 * torch.randn(n)
    t = 2 * math.pi * torch.rand(n)
    return torch.stack([r * t.cos(), r * t.sin()], 1)


def train(cfg):
    torch.manual_seed(cfg.seed)
    energy = Energy()
    sampler = PersistentSampler(energy, cfg)
    optim = torch.optim.Adam(energy.parameters(), lr=cfg.lr)
    for it in range(cfg.iters):
        real = rings(cfg.batch)
        fake = sampler.sample()
        e_real, e_fake = energy(real), energy(fake)
        loss = e_real.mean() - e_fake.mean() + 0.1 * (e_real.pow(2) + e_fake.pow(2)).mean()
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(energy.parameters(), 1.0)
        optim.step()
        if it % 30 == 0:
            print(f"{it:4d} loss={loss.item():+.4f} gap={(e_fake.mean() - e_real.mean()).item():+.4f}")
    return energy


if __name__ == "__main__":
    net = train(Config())
    print("final energy on data", round(net(rings(256)).mean().item(), 3))
