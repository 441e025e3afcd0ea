# gradwatch-corpus: kind=graph-chain
# holder: self.particles | sampler.particles
# first-bad: 1
"""Energy-based model on a 2-D toy density, trained with persistent contrastive divergence."""
import argparse
import math

import torch
import torch.nn as nn


def sample_rings(n, gen):
    radius = torch.randint(1, 4, (n,), generator=gen).float()
    angle = torch.rand(n, generator=gen) * 2 * math.pi
    pts = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
    return pts + 0.05 * torch.randn(n, 2, generator=gen)


class EnergyNet(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(2, width),
            nn.SiLU(),
            nn.Linear(width, width),
            nn.SiLU(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)


class PersistentSampler:
    """Keeps a population of Langevin particles alive between updates."""

    def __init__(self, n, step=0.02, noise=0.05, k=4):
        self.step = step
        self.noise = noise
        self.k = k
        start = torch.randn(n, 2) * 2
        self.particles = start.requires_grad_(True)

    def advance(self, energy):
        x = self.particles  # <- culprit
        for _ in range(self.k):
            e = energy(x).sum()
            (g,) = torch.autograd.grad(e, x)
            x = x - self.step * g + self.noise * torch.randn_like(g)  # <- culprit
        self.particles = x  # <- culprit
        return x


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=120)
    p.add_argument("--batch", type=int, default=128)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--alpha", type=float, default=0.05)
    p.add_argument("--seed", type=int, default=3)
    return p.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed + 1)
    energy = EnergyNet()
    sampler = PersistentSampler(args.batch)
    opt = torch.optim.Adam(energy.parameters(), lr=args.lr, betas=(0.0, 0.999))
    for it in range(args.iters):
        real = sample_rings(args.batch, gen)
        fake = sampler.advance(energy)
        e_real = energy(real)
        e_fake = energy(fake)
        cd = e_real.mean() - e_fake.mean()
        reg = args.alpha * (e_real.pow(2).mean() + e_fake.pow(2).mean())
        loss = cd + reg
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"it {it:4d} cd {cd.item():+.4f} reg {reg.item():.4f}")


if __name__ == "__main__":
    main()
