# gradwatch-corpus: kind=graph-chain
# holder: Langevin.chains | self.chains | sampler.chains | cls.chains
# first-bad: 1
"""Energy-based model of a ring of Gaussians, trained by persistent contrastive divergence."""
import math

import torch
from torch import nn, optim


def ring(n, modes=8, radius=2.0, std=0.12):
    k = torch.randint(modes, (n,)).float() * (2 * math.pi / modes)
    centre = radius * torch.stack([k.cos(), k.sin()], dim=1)
    return centre + std * torch.randn(n, 2)


class Energy(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.f = nn.Sequential(
            nn.Linear(2, width), nn.Softplus(),
            nn.Linear(width, width), nn.Softplus(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.f(x).squeeze(-1) + 0.05 * x.pow(2).sum(-1)


class Langevin:
    """Short SGLD runs; the chains live on the class so that all users share them."""

    chains = None

    def __init__(self, n_chains=128, k=6, eps=0.05, refresh=4):
        self.k, self.eps, self.refresh = k, eps, refresh
        if Langevin.chains is None:
            Langevin.chains = (4 * torch.rand(n_chains, 2) - 2).requires_grad_()

    def rejuvenate(self, x):
        # a few chains start afresh each time, the oldest drop out
        fresh = 4 * torch.rand(self.refresh, 2) - 2
        return torch.cat([fresh, x[:-self.refresh]])

    def advance(self, energy):
        x = self.rejuvenate(Langevin.chains)  # <- culprit
        for _ in range(self.k):
            slope, = torch.autograd.grad(energy(x).sum(), x)
            x = x - self.eps * slope + math.sqrt(2 * self.eps) * 0.1 * torch.randn_like(x)
        Langevin.chains = x  # <- culprit
        return x


class EBMTrainer:
    def __init__(self, energy, sampler, lr=2e-3, reg=0.02):
        self.energy, self.sampler, self.reg = energy, sampler, reg
        self.opt = optim.Adam(energy.parameters(), lr=lr, betas=(0.5, 0.99))

    def update(self, batch):
        negatives = self.sampler.advance(self.energy)
        e_pos = self.energy(batch)
        e_neg = self.energy(negatives)
        cd = e_pos.mean() - e_neg.mean()
        size = e_pos.pow(2).mean() + e_neg.pow(2).mean()

        self.opt.zero_grad()
        (cd + self.reg * size).backward()
        self.opt.step()
        return cd.item(), e_pos.mean().item(), e_neg.mean().item()


def coverage(x, modes=8, radius=2.0):
    """Share of the modes that have at least one chain near them."""
    k = torch.arange(modes) * (2 * math.pi / modes)
    centre = radius * torch.stack([k.cos(), k.sin()], dim=1)
    near = torch.cdist(x.detach(), centre) < 0.4
    return near.any(0).float().mean().item()


def main(iters=90):
    torch.manual_seed(7)
    energy = Energy()
    trainer = EBMTrainer(energy, Langevin())
    gap = 0.0
    for it in range(iters):
        cd, pos, neg = trainer.update(ring(128))
        gap = 0.95 * gap + 0.05 * cd
        if it % 15 == 0:
            print(f"it {it:3d}  cd {cd:+.3f}  (smoothed {gap:+.3f})  E+ {pos:+.3f}  E- {neg:+.3f}  "
                  f"modes {coverage(Langevin.chains):.2f}")


if __name__ == "__main__":
    main()
