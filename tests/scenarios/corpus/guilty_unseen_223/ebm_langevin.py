# gradwatch-corpus: kind=graph-chain
# holder: self.particles | sampler.particles
# first-bad: 1
"""Energy based model on 2-D rings, trained with persistent contrastive divergence."""
import math

import torch
from torch import nn

torch.manual_seed(11)


def rings(n):
    radius = torch.randint(1, 4, (n,)).float()
    angle = torch.rand(n) * 2 * math.pi
    x = torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)
    return x + 0.08 * torch.randn(n, 2)


class Energy(nn.Module):
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


class LangevinSampler:
    """Keeps a population of particles that is carried over from one update to the next."""

    def __init__(self, energy, n_particles, step=0.05, noise=0.05, n_steps=4):
        self.energy = energy
        self.step = step
        self.noise = noise
        self.n_steps = n_steps
        self.particles = torch.randn(n_particles, 2, requires_grad=True)

    def advance(self):
        x = self.particles  # <- culprit
        for _ in range(self.n_steps):
            e = self.energy(x).sum()
            score, = torch.autograd.grad(e, x)
            score = score.clamp(-2.0, 2.0)
            x = x - self.step * score + self.noise * torch.randn_like(score)  # <- culprit
        self.particles = x  # <- culprit
        return x


def main():
    energy = Energy()
    sampler = LangevinSampler(energy, n_particles=128)
    opt = torch.optim.Adam(energy.parameters(), lr=1e-3, betas=(0.0, 0.999))
    alpha = 0.1

    for it in range(120):
        real = rings(128)
        fake = sampler.advance()

        e_real = energy(real)
        e_fake = energy(fake)
        cd = e_real.mean() - e_fake.mean()
        reg = (e_real ** 2).mean() + (e_fake ** 2).mean()
        loss = cd + alpha * reg

        opt.zero_grad()
        loss.backward()
        opt.step()

        if it % 30 == 0:
            print(f"it {it:4d}  cd {cd.item():+.4f}  reg {reg.item():.4f}")


if __name__ == "__main__":
    main()
