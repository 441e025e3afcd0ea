# gradwatch-corpus: kind=none
"""GAN on 1-D pulse shapes with a history pool: the critic also sees what the generator made some time ago."""
import random

import torch
from torch import nn

PULSE = 32
LATENT = 8


class HistoryPool:
    """The first `size` fakes are kept as they come; afterwards each new one may take the place of an old one."""

    def __init__(self, size, rng):
        self.size = size
        self.rng = rng
        self.items = []

    def query(self, fake):
        if len(self.items) < self.size:
            self.items.append(fake)
            return fake
        if self.rng.random() < 0.5:
            slot = self.rng.randrange(self.size)
            old, self.items[slot] = self.items[slot], fake
            return old
        return fake


def real_pulses(n):
    t = torch.linspace(-1, 1, PULSE)
    centre = 0.5 * (torch.rand(n, 1) - 0.5)
    width = 0.1 + 0.1 * torch.rand(n, 1)
    return torch.exp(-((t - centre) / width) ** 2)


def mlp(sizes, last=None):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ELU()]
    layers.pop()
    if last is not None:
        layers.append(last)
    return nn.Sequential(*layers)


def train(iterations=420, batch=16, pool_size=40):
    rng = random.Random(4)
    gen = mlp([LATENT, 32, PULSE], nn.Sigmoid())
    critic = mlp([PULSE, 32, 1])
    g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.999))
    d_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.999))
    bce = nn.BCEWithLogitsLoss()
    pool = HistoryPool(pool_size, rng)
    ones, zeros = torch.ones(batch, 1), torch.zeros(batch, 1)

    for it in range(iterations):
        fake = gen(torch.randn(batch, LATENT))

        critic.requires_grad_(False)
        g_loss = bce(critic(fake), ones)
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()

        critic.requires_grad_(True)
        seen = pool.query(fake)
        d_loss = bce(critic(real_pulses(batch)), ones) + bce(critic(seen.detach()), zeros)
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()

        if (it + 1) % 70 == 0:
            print(f"iter {it + 1}: G {g_loss.item():.3f} D {0.5 * d_loss.item():.3f} pool {len(pool.items)}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(4)
    train()
