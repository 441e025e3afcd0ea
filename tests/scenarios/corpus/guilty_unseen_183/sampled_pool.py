# gradwatch-corpus: kind=graph-held
# holder: self.items | pool.items
# first-bad: 1
# notice: 90
"""Latent dynamics model; encodings go to a reservoir-style pool that is sampled for a diversity score."""
import random

import torch
from torch import nn


class BasePool:
    def __init__(self, capacity, seed=0):
        self.capacity = capacity
        self.filled = 0
        self.rng = random.Random(seed)
        self.items = []

    def offer(self, item):
        if self.filled < self.capacity:  # <- culprit
            self.items.append(item)  # <- culprit
        else:
            self.items[self.rng.randrange(self.capacity)] = item

    def load(self, items):
        for item in items:
            self.offer(item)
            self.filled = min(self.filled + 1, self.capacity)

    def sample(self, k):
        return self.rng.sample(self.items, min(k, len(self.items)))


class LatentPool(BasePool):
    def diversity(self, k=8):
        picks = torch.stack([z.detach().mean(0) for z in self.sample(k)])
        return torch.pdist(picks).mean().item() if len(picks) > 1 else 0.0


class World(nn.Module):
    def __init__(self, obs=10, act=2, latent=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(obs, 24), nn.ELU(), nn.Linear(24, latent))
        self.dyn = nn.Sequential(nn.Linear(latent + act, 24), nn.ELU(), nn.Linear(24, latent))
        self.dec = nn.Linear(latent, obs)

    def forward(self, obs, act):
        z = self.enc(obs)
        return z, self.dec(z), self.dec(z + self.dyn(torch.cat([z, act], -1)))


class Pendulums:
    def __init__(self, seed, obs=10):
        self.gen = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(4, obs, generator=self.gen)

    def observe(self, theta, omega):
        feats = torch.stack([theta.sin(), theta.cos(), omega, omega * theta.sin()], -1)
        return feats @ self.mix

    def batch(self, n=16):
        theta = 3 * torch.randn(n, generator=self.gen)
        omega = torch.randn(n, generator=self.gen)
        act = torch.randn(n, 2, generator=self.gen)
        omega2 = omega + 0.1 * (act[:, 0] - theta.sin())
        return self.observe(theta, omega), act, self.observe(theta + 0.1 * omega2, omega2)


def main(steps=450):
    torch.manual_seed(64)
    env, world = Pendulums(64), World()
    opt = torch.optim.Adam(world.parameters(), lr=3e-3)
    pool = LatentPool(capacity=40, seed=64)
    for step in range(steps):
        obs, act, nxt = env.batch()
        z, recon, pred = world(obs, act)
        loss = (recon - obs).pow(2).mean() + (pred - nxt).pow(2).mean() + 1e-3 * z.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        pool.offer(z)
        if step % 75 == 74:
            print(f"{step + 1} loss {loss.item():.4f} diversity {pool.diversity():.3f}")


if __name__ == "__main__":
    main()
