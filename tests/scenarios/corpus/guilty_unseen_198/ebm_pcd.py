# gradwatch-corpus: kind=graph-chain
# holder: self.particles | sampler.particles
# first-bad: 1
"""Energy-based model on a ring of gaussians, persistent contrastive divergence with Langevin chains."""
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class EBMConfig:
    steps: int = 400
    batch: int = 48
    langevin_steps: int = 5
    step_size: float = 0.05
    noise: float = 0.05
    l2: float = 0.1
    lr: float = 1e-3


class Energy(nn.Module):
    def __init__(self, h=48):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 1))

    def forward(self, x):
        return self.f(x).squeeze(-1)


class PersistentSampler:
    def __init__(self, cfg):
        self.cfg = cfg
        self.particles = torch.randn(cfg.batch, 2).requires_grad_()

    def refresh(self, energy):
        x = self.particles
        for _ in range(self.cfg.langevin_steps):
            g, = torch.autograd.grad(energy(x).sum(), x)
            x = x - self.cfg.step_size * g.clamp(-1, 1) + self.cfg.noise * torch.randn_like(x)
        self.particles = x  # <- culprit
        return x


def ring(n, modes=6, radius=2.0):
    k = torch.randint(modes, (n,))
    ang = 2 * math.pi * k / modes
    centre = radius * torch.stack([ang.cos(), ang.sin()], -1)
    return centre + 0.1 * torch.randn(n, 2)


def train(cfg):
    torch.manual_seed(77)
    energy = Energy()
    opt = torch.optim.Adam(energy.parameters(), lr=cfg.lr, betas=(0.0, 0.999))
    sampler = PersistentSampler(cfg)
    curve = []
    for step in range(cfg.steps):
        real = ring(cfg.batch)
        fake = sampler.refresh(energy)
        e_pos, e_neg = energy(real), energy(fake)
        loss = e_pos.mean() - e_neg.mean() + cfg.l2 * (e_pos.pow(2).mean() + e_neg.pow(2).mean())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(energy.parameters(), 1.0)
        opt.step()
        curve.append((loss.item(), (e_neg.mean() - e_pos.mean()).item()))
        if step % 80 == 0:
            r = fake.detach().norm(dim=-1).mean().item()
            print(f"{step:4d} loss {curve[-1][0]:+.3f} gap {curve[-1][1]:+.3f} radius {r:.2f}")
    return curve


if __name__ == "__main__":
    train(EBMConfig())
