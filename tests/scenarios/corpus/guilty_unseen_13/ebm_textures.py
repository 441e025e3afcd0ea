# gradwatch-corpus: kind=memory-climb
# holder: self.examples | sampler.examples | self.sampler.examples | trainer.sampler.examples
# first-bad: 1
"""Energy-based model on stripe textures: short-run Langevin sampling from a replay store of
earlier samples (Du & Mordatch 2019), contrastive divergence with energy regularisation."""
import math
import random

import torch
from torch import nn


class Stripes:
    def __init__(self, side=20, seed=0):
        self.side = side
        self.g = torch.Generator().manual_seed(seed)
        axis = torch.linspace(-1, 1, side)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def sample(self, n):
        angle = math.pi * torch.rand(n, 1, 1, generator=self.g)
        phase = 2 * math.pi * torch.rand(n, 1, 1, generator=self.g)
        wave = torch.sin(6 * (self.xx * angle.cos() + self.yy * angle.sin()) + phase)
        return wave.flatten(1) + 0.02 * torch.randn(n, self.side ** 2, generator=self.g)


class Energy(nn.Module):
    def __init__(self, pixels, width=64):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(pixels, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
            nn.Linear(width, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)


class ReplaySampler:
    """Persistent chains: most start where an earlier one ended, the rest from noise."""

    def __init__(self, energy, pixels, batch, max_len=4096, fresh=0.05):
        self.energy, self.pixels, self.batch = energy, pixels, batch
        self.max_len, self.fresh = max_len, fresh
        self.examples = [torch.rand(batch, pixels) * 2 - 1]

    def starts(self):
        n_fresh = max(1, int(self.fresh * self.batch))
        noise = torch.rand(n_fresh, self.pixels) * 2 - 1
        rest = self.batch - n_fresh
        sources = random.choices(self.examples, k=8)
        share = -(-rest // len(sources))
        old = torch.cat([s[torch.randint(len(s), (share,))] for s in sources])[:rest]
        return torch.cat([noise, old])

    def langevin(self, x, steps=4, step_size=2.0, noise=0.01):
        for p in self.energy.parameters():
            p.requires_grad_(False)
        x = x.clone().requires_grad_()
        for _ in range(steps):
            with torch.no_grad():
                x.add_(noise * torch.randn_like(x)).clamp_(-1, 1)
            grad, = torch.autograd.grad(self.energy(x).sum(), x)
            with torch.no_grad():
                x.sub_(step_size * grad.clamp(-0.03, 0.03)).clamp_(-1, 1)
        for p in self.energy.parameters():
            p.requires_grad_(True)
        return x.detach()

    def draw(self):
        samples = self.langevin(self.starts())
        self.examples.insert(0, samples)  # <- culprit
        self.examples = self.examples[:self.max_len]  # <- culprit
        return samples


class Trainer:
    def __init__(self, batch=160, reg=0.1):
        self.data = Stripes(seed=6)
        pixels = self.data.side ** 2
        self.energy = Energy(pixels)
        self.sampler = ReplaySampler(self.energy, pixels, batch)
        self.opt = torch.optim.Adam(self.energy.parameters(), lr=3e-4, betas=(0.0, 0.999))
        self.batch, self.reg = batch, reg

    def step(self):
        real = self.data.sample(self.batch)
        fake = self.sampler.draw()
        e_real, e_fake = self.energy(torch.cat([real, fake])).chunk(2)
        divergence = e_real.mean() - e_fake.mean()
        loss = divergence + self.reg * (e_real.square() + e_fake.square()).mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.energy.parameters(), 0.1)
        self.opt.step()
        return divergence.item()


def main(steps=300):
    random.seed(6)
    torch.manual_seed(6)
    trainer = Trainer()
    for i in range(steps):
        cd = trainer.step()
        if i % 75 == 0:
            print(f"step {i}: contrastive divergence {cd:+.4f}")


if __name__ == "__main__":
    main()
