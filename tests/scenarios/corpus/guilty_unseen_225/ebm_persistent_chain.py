# gradwatch-corpus: kind=graph-chain
# holder: self.particles | sampler.particles
# first-bad: 1
"""Energy based density model on a ring of gaussians, persistent Langevin negatives."""
import argparse
import math

import torch
from torch import nn, optim


class Energy(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(dim, hidden),
            nn.SiLU(),
            nn.Linear(hidden, hidden),
            nn.SiLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1) + 0.05 * x.pow(2).sum(-1)


class LangevinSampler:
    """Keeps the fantasy particles between calls (PCD)."""

    def __init__(self, energy, n, dim, step_size, noise):
        self.energy = energy
        self.step_size = step_size
        self.noise = noise
        self.particles = torch.randn(n, dim, requires_grad=True)

    def run(self, n_steps):
        x = self.particles
        for _ in range(n_steps):
            e = self.energy(x).sum()
            (score,) = torch.autograd.grad(e, x)
            kick = self.noise * torch.randn_like(x)
            x = x - self.step_size * score + kick  # <- culprit
        self.particles = x  # <- culprit
        return x


def ring(n, modes=6, radius=2.0, std=0.15):
    which = torch.randint(modes, (n,))
    angle = which.float() * (2 * math.pi / modes)
    centre = torch.stack([angle.cos(), angle.sin()], dim=-1) * radius
    return centre + std * torch.randn(n, 2)


def contrastive_divergence(energy, pos, neg, alpha):
    e_pos = energy(pos)
    e_neg = energy(neg)
    cd = e_pos.mean() - e_neg.mean()
    reg = e_pos.pow(2).mean() + e_neg.pow(2).mean()
    return cd + alpha * reg, e_pos.mean().item(), e_neg.mean().item()


def train(args):
    energy = Energy(2, args.hidden)
    sampler = LangevinSampler(energy, args.batch, 2, args.step_size, args.noise)
    opt = optim.Adam(energy.parameters(), lr=1e-3, betas=(0.0, 0.99))
    for it in range(args.iters):
        pos = ring(args.batch)
        neg = sampler.run(args.langevin)
        opt.zero_grad()
        loss, ep, en = contrastive_divergence(energy, pos, neg, args.alpha)
        loss.backward()
        nn.utils.clip_grad_norm_(energy.parameters(), 1.0)
        opt.step()
        if it % 20 == 0:
            print(f"[{it:03d}] E+ {ep:+.3f}  E- {en:+.3f}")
    spread = sampler.particles.norm(dim=-1).mean()
    print("mean radius of particles:", round(spread.item(), 3))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=100)
    p.add_argument("--batch", type=int, default=96)
    p.add_argument("--hidden", type=int, default=64)
    p.add_argument("--langevin", type=int, default=5)
    p.add_argument("--step-size", type=float, default=0.05)
    p.add_argument("--noise", type=float, default=0.05)
    p.add_argument("--alpha", type=float, default=0.1)
    args = p.parse_args()
    torch.manual_seed(0)
    train(args)
