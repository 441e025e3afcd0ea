# gradwatch-corpus: kind=none
"""Tiny GAN on two moons; the critic sees a pool of earlier fakes."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class FakePool:
    def __init__(self, size, rng):
        self.size = size
        self.rng = rng
        self.fakes = []

    def exchange(self, batch):
        if len(self.fakes) < self.size:
            self.fakes.append(batch)
            return batch
        if self.rng.random() < 0.5:
            slot = self.rng.randrange(self.size)
            old, self.fakes[slot] = self.fakes[slot], batch
            return old
        return batch


def moons(n, gen):
    t = torch.rand(n, generator=gen) * 3.1416
    upper = torch.rand(n, generator=gen) < 0.5
    x = torch.where(upper, torch.cos(t), 1 - torch.cos(t))
    y = torch.where(upper, torch.sin(t), 0.5 - torch.sin(t))
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2, generator=gen)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


def set_requires_grad(net, flag):
    for p in net.parameters():
        p.requires_grad_(flag)


def main():
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(8)
    G, D = mlp(4, 32, 2), mlp(2, 32, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.5, 0.99))
    opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.99))
    pool = FakePool(30, random.Random(8))
    for it in range(420):
        fake = G(torch.randn(32, 4, generator=gen))

        set_requires_grad(D, False)
        opt_g.zero_grad()
        g_loss = F.softplus(-D(fake)).mean()
        g_loss.backward()
        opt_g.step()

        set_requires_grad(D, True)
        opt_d.zero_grad()
        seen = pool.exchange(fake)
        d_loss = F.softplus(-D(moons(32, gen))).mean() + F.softplus(D(seen.detach())).mean()
        d_loss.backward()
        opt_d.step()
        if it % 70 == 0:
            print(f"{it:03d} G {g_loss.item():.3f} D {d_loss.item():.3f} pool {len(pool.fakes)}")


if __name__ == "__main__":
    main()
