# gradwatch-corpus: kind=none
"""WGAN-GP on a ring of Gaussians, with an averaged generator and a pool of old fakes."""
import copy
import random

import torch
from torch import nn


def mlp(n_in, n_out, width=48):
    return nn.Sequential(nn.Linear(n_in, width), nn.LeakyReLU(0.2), nn.Linear(width, width),
                         nn.LeakyReLU(0.2), nn.Linear(width, n_out))


class FakePool:
    def __init__(self, size):
        self.size, self.items = size, []

    def mix(self, fake):
        out = []
        for row in fake.detach():
            if len(self.items) < self.size:
                self.items.append(row)
                out.append(row)
            elif random.random() < 0.5:
                k = random.randrange(self.size)
                out.append(self.items[k])
                self.items[k] = row
            else:
                out.append(row)
        return torch.stack(out)


def ring(gen, n):
    k = torch.randint(8, (n,), generator=gen) * 0.7854
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2, generator=gen)


def penalty(critic, real, fake):
    mix = torch.rand(real.shape[0], 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_()
    slope, = torch.autograd.grad(critic(point).sum(), point, create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()


@torch.no_grad()
def average(avg, live, beta):
    for a, p in zip(avg.parameters(), live.parameters()):
        a.lerp_(p, 1 - beta)


def main():
    torch.manual_seed(7)
    random.seed(7)
    gen = torch.Generator().manual_seed(70)
    G, D = mlp(4, 2), mlp(2, 1)
    G_avg = copy.deepcopy(G).requires_grad_(False)
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
    pool = FakePool(96)
    stats = {"gap": [], "gp": [], "g": []}
    last_fake = None
    for it in range(900):
        real = ring(gen, 32)
        with torch.no_grad():
            fresh = G(torch.randn(32, 4))
        fake = pool.mix(fresh)
        gap = D(fake).mean() - D(real).mean()
        gp = penalty(D, real, fake)
        opt_d.zero_grad()
        (gap + 5 * gp).backward()
        opt_d.step()
        stats["gap"].append(gap.item())
        stats["gp"].append(gp.item())
        if it % 3 == 2:
            last_fake = G(torch.randn(32, 4))
            g_loss = -D(last_fake).mean()
            opt_g.zero_grad()
            g_loss.backward()
            opt_g.step()
            average(G_avg, G, 0.98)
            stats["g"].append(g_loss.detach())
        if it % 150 == 149:
            radius = G_avg(torch.randn(200, 4)).norm(dim=1).mean()
            print(it + 1, radius.item(), last_fake.std().item(), stats["gap"][-1], stats["gp"][-1])


main()
