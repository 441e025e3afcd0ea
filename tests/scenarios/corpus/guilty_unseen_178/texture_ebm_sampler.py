# gradwatch-corpus: kind=graph-chain
# holder: self.particles | pool.particles
# first-bad: 1
"""Persistent contrastive divergence on small satellite texture patches."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class EBMConfig:
    patch: int = 8
    particles: int = 32
    langevin_steps: int = 3
    step_size: float = 0.08
    noise: float = 0.01
    reg: float = 0.05
    lr: float = 1e-3
    iterations: int = 500


class TextureSource:
    def __init__(self, cfg, seed=11):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        ax = torch.linspace(0, 3.14, cfg.patch)
        self.base = torch.sin(ax[:, None] * 2 + ax[None, :])

    def draw(self, n):
        phase = torch.rand(n, 1, 1, generator=self.gen)
        grain = 0.1 * torch.randn(n, self.cfg.patch, self.cfg.patch, generator=self.gen)
        return (self.base * (0.5 + phase) + grain).clamp(-1, 1).flatten(1)


class Energy(nn.Module):
    def __init__(self, dim, width=64):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.body(x)).squeeze(-1)


class Kernel:
    """One transition of the sampler."""

    def __init__(self, cfg):
        self.cfg = cfg

    def transition(self, energy, x):
        slope, = torch.autograd.grad(energy(x).sum(), x)
        jitter = self.cfg.noise * torch.randn_like(x)
        return x - self.cfg.step_size * slope + jitter  # <- culprit


class ParticlePool:
    def __init__(self, cfg, kernel):
        self.cfg = cfg
        self.kernel = kernel
        self.particles = (torch.rand(cfg.particles, cfg.patch ** 2) * 2 - 1).requires_grad_()

    def refresh(self, energy):
        x = self.particles
        for _ in range(self.cfg.langevin_steps):
            x = self.kernel.transition(energy, x)
        self.particles = x  # <- culprit
        return x


class ContrastiveTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.energy = Energy(cfg.patch ** 2)
        self.pool = ParticlePool(cfg, Kernel(cfg))
        self.source = TextureSource(cfg)
        self.opt = torch.optim.Adam(self.energy.parameters(), lr=cfg.lr, betas=(0.0, 0.99))

    def objective(self):
        real = self.source.draw(self.cfg.particles)
        fake = self.pool.refresh(self.energy)
        e_real, e_fake = self.energy(real), self.energy(fake)
        gap = e_real.mean() - e_fake.mean()
        return gap + self.cfg.reg * (e_real.pow(2).mean() + e_fake.pow(2).mean()), gap

    def step(self):
        loss, gap = self.objective()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return gap.item()


def main():
    torch.manual_seed(0)
    cfg = EBMConfig()
    trainer = ContrastiveTrainer(cfg)
    for i in range(cfg.iterations):
        gap = trainer.step()
        if i % 100 == 0:
            print(f"iter {i:4d}  gap {gap:+.4f}")


if __name__ == "__main__":
    main()
