# gradwatch-corpus: kind=graph-chain
# holder: self.chains | sampler.chains | trainer.sampler.chains | self.sampler.chains
# first-bad: 1
"""Energy-based model of a ring of Gaussians, trained by persistent contrastive divergence."""
import math

import torch
from torch import nn


class RingData:
    def __init__(self, modes=6, radius=2.0, noise=0.1):
        ang = torch.arange(modes) * (2 * math.pi / modes)
        self.centers = radius * torch.stack([ang.cos(), ang.sin()], dim=1)
        self.noise = noise

    def draw(self, n):
        which = torch.randint(len(self.centers), (n,))
        return self.centers[which] + self.noise * torch.randn(n, 2)


class Energy(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, hidden), nn.SiLU(),
            nn.Linear(hidden, hidden), nn.SiLU(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.body(x).squeeze(-1) + 0.05 * x.pow(2).sum(-1)


class LangevinSampler:
    """A set of persistent chains, moved a few Langevin steps at a time."""

    def __init__(self, energy, n_chains=64, step=0.05, n_steps=2):
        self.energy = energy
        self.step = step
        self.n_steps = n_steps
        self.chains = torch.randn(n_chains, 2, requires_grad=True)

    def advance(self):
        x = self.chains
        for _ in range(self.n_steps):
            (g,) = torch.autograd.grad(self.energy(x).sum(), x)
            g = g.clamp(-3.0, 3.0)
            noise = math.sqrt(2 * self.step) * 0.3 * torch.randn_like(x)
            x = x - self.step * g + noise
        self.chains = x  # <- culprit
        return x


class Trainer:
    def __init__(self, lr=2e-3, batch=64):
        self.data = RingData()
        self.energy = Energy()
        self.sampler = LangevinSampler(self.energy, n_chains=batch)
        self.opt = torch.optim.Adam(self.energy.parameters(), lr=lr, betas=(0.5, 0.99))
        self.batch = batch

    def train_step(self):
        pos = self.energy(self.data.draw(self.batch))
        neg = self.energy(self.sampler.advance())
        reg = 0.05 * (pos.pow(2).mean() + neg.pow(2).mean())
        loss = pos.mean() - neg.mean() + reg
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.energy.parameters(), 5.0)
        self.opt.step()
        return pos.mean().item() - neg.mean().item()

    def fit(self, steps):
        smooth = 0.0
        for it in range(steps):
            gap = self.train_step()
            smooth = 0.95 * smooth + 0.05 * gap
            if it % 100 == 0:
                print(f"step {it:4d}  energy gap {smooth:+.4f}")


if __name__ == "__main__":
    torch.manual_seed(7)
    Trainer().fit(400)
