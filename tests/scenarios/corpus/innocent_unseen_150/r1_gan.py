# gradwatch-corpus: kind=none
"""GAN for ring shaped particle hits; lazy R1 penalty, fake samples kept in a pool of 20 batches."""
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(48)
random.seed(48)
torch.set_num_threads(1)


class Pool:
    def __init__(self, size):
        self.size, self.items = size, []

    def swap(self, fake):
        if len(self.items) < self.size:
            self.items.append(fake)
            return fake
        k = random.randrange(self.size)
        old, self.items[k] = self.items[k], fake
        return old if random.random() < 0.5 else fake


def ring(n):
    a = torch.rand(n) * 6.2832
    return torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2)


gen = nn.Sequential(nn.Linear(4, 24), nn.LeakyReLU(0.2), nn.Linear(24, 2))
disc = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
opt_g = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(disc.parameters(), lr=2e-3, betas=(0.5, 0.99))
pool = Pool(20)

for step in range(130):
    fake = gen(torch.randn(32, 4))
    shown = pool.swap(fake.detach())
    loss_d = F.softplus(disc(shown)).mean() + F.softplus(-disc(ring(32))).mean()
    if step % 8 == 0:
        real = ring(32).requires_grad_()
        slope, = torch.autograd.grad(disc(real).sum(), real, create_graph=True)
        loss_d = loss_d + 4.0 * slope.square().sum(1).mean()
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()

    loss_g = F.softplus(-disc(fake)).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    if step % 26 == 25:
        print(step, f"D {loss_d.item():.3f} G {loss_g.item():.3f}", f"radius {fake.norm(dim=1).mean().item():.3f}")
