# gradwatch-corpus: kind=none
"""WGAN-GP on a ring of Gaussians; an image-pool style history feeds the critic."""
import math
import random

import torch
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class FakePool:
    """Swaps fresh fakes with older ones half of the time."""

    def __init__(self, size, rng):
        self.size, self.rng, self.items = size, rng, []

    def query(self, fakes):
        if len(self.items) < self.size:
            self.items.append(fakes)
            return fakes
        if self.rng.random() < 0.5:
            k = self.rng.randrange(self.size)
            old, self.items[k] = self.items[k], fakes
            return old
        return fakes


def ring(gen, n):
    k = torch.randint(0, 8, (n,), generator=gen)
    angle = k * (2 * math.pi / 8)
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2, generator=gen)


def penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_()
    grad, = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


def main(steps=450, batch=48):
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(5)
    G, D = mlp(4, 48, 48, 2), mlp(2, 48, 48, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
    pool = FakePool(30, random.Random(6))
    for step in range(steps):
        real = ring(gen, batch)
        fake = G(torch.randn(batch, 4))
        seen = pool.query(fake).detach()
        d_loss = D(seen).mean() - D(real).mean() + 10 * penalty(D, real, seen)
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

        g_loss = -D(fake).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        if step % 75 == 0:
            print(f"step {step} critic {d_loss.item():.3f} gen {g_loss.item():.3f} pool {len(pool.items)}")


if __name__ == "__main__":
    main()
