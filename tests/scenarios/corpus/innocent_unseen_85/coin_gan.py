# gradwatch-corpus: kind=none
"""Coin-hoard weights: a small WGAN-GP over (weight, diameter, silver share)."""
import copy
import random

import torch
from torch import nn
from torch.autograd import grad

torch.set_num_threads(1)
torch.manual_seed(17)
random.seed(17)

CRITIC_STEPS = 2
POOL = 6


def hoard(n):
    mint = torch.randint(0, 3, (n, 1)).float()
    weight = 3.9 - 0.5 * mint + 0.08 * torch.randn(n, 1)
    diam = 18 - 1.5 * mint + 0.2 * torch.randn(n, 1)
    silver = 0.95 - 0.12 * mint + 0.02 * torch.randn(n, 1)
    return torch.cat([(weight - 3.4) / 0.4, (diam - 16.5) / 1.2, (silver - 0.83) / 0.1], 1)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 24), nn.Softplus(), nn.Linear(24, 24), nn.Softplus(), nn.Linear(24, o))


class FakePool:
    """Some of the fakes shown to the critic are older ones, the pool is fixed in size."""

    def __init__(self, size):
        self.size, self.items = size, []

    def swap(self, fake):
        if len(self.items) < self.size:
            self.items.append(fake)
            return fake
        if random.random() < 0.5:
            i = random.randrange(self.size)
            old, self.items[i] = self.items[i], fake
            return old
        return fake


def penalty(critic, real, fake):
    a = torch.rand(len(real), 1)
    mix = (a * real + (1 - a) * fake.detach()).requires_grad_()
    g, = grad(critic(mix).sum(), mix, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


gen, critic = mlp(4, 3), mlp(3, 1)
slow_gen = copy.deepcopy(gen)
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
pool = FakePool(POOL)
stats = {}
for it in range(410):
    for _ in range(CRITIC_STEPS):
        real = hoard(32)
        fake = pool.swap(gen(torch.randn(32, 4)))
        gp = penalty(critic, real, fake)
        wasserstein = critic(real).mean() - critic(fake.detach()).mean()
        loss_c = 5 * gp - wasserstein
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    samples = gen(torch.randn(32, 4))
    loss_g = -critic(samples).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    with torch.no_grad():
        for s, p in zip(slow_gen.parameters(), gen.parameters()):
            s.lerp_(p, 0.05)
    stats.update(gp=gp, w=wasserstein, g=loss_g, it=it)
    if it % 80 == 79:
        spread = slow_gen(torch.randn(200, 4)).std(0)
        print({k: round(float(v), 3) for k, v in stats.items()}, "spread", [round(s, 2) for s in spread.tolist()])
