# gradwatch-corpus: kind=none
"""Ring-of-Gaussians GAN with an image pool, R1 penalty every other step and a generator average that
is used to draw the reference samples."""
import copy
import math
import random

import torch
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class Pool:
    def __init__(self, size, rng):
        self.size, self.items, self.rng = size, [], rng

    def swap(self, batch):
        out = []
        for x in batch:
            if len(self.items) < self.size:
                self.items.append(x)
                out.append(x)
            elif self.rng.random() < 0.5:
                k = self.rng.randrange(self.size)
                out.append(self.items[k])
                self.items[k] = x
            else:
                out.append(x)
        return torch.stack(out)


class Averaged:
    def __init__(self, net, decay=0.99):
        self.shadow = copy.deepcopy(net)
        self.decay = decay

    def follow(self, net):
        for s, p in zip(self.shadow.parameters(), net.parameters()):
            s.data = s.data * self.decay + p.data * (1 - self.decay)


class RingGAN:
    def __init__(self):
        self.G, self.D = mlp(4, 32, 32, 2), mlp(2, 32, 32, 1)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.pool = Pool(40, random.Random(3))
        self.avg = Averaged(self.G)
        self.last_fake = None
        self.step = 0

    def train_d(self, real):
        with torch.no_grad():
            seen = self.pool.swap(self.G(torch.randn(len(real), 4)))
        real = real.requires_grad_(self.step % 2 == 0)
        out = self.D(real)
        loss = nn.functional.softplus(-out).mean() + nn.functional.softplus(self.D(seen)).mean()
        if real.requires_grad:
            (gx,) = torch.autograd.grad(out.sum(), real, create_graph=True)
            loss = loss + 2.0 * gx.square().sum(1).mean()
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def train_g(self, n):
        fake = self.G(torch.randn(n, 4))
        loss = nn.functional.softplus(-self.D(fake)).mean()
        if self.last_fake is not None:
            loss = loss + 0.01 * torch.relu(1 - (fake.mean(0) - self.last_fake.data.mean(0)).abs()).mean()
        self.last_fake = fake
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.avg.follow(self.G)
        self.step += 1
        return loss.item()


def ring(n):
    k = torch.randint(0, 8, (n,)) * (2 * math.pi / 8)
    return torch.stack([k.cos(), k.sin()], 1) + 0.05 * torch.randn(n, 2)


def main(steps=700):
    torch.manual_seed(5)
    gan = RingGAN()
    for s in range(steps):
        d = gan.train_d(ring(32))
        g = gan.train_g(32)
        if s % 100 == 0:
            with torch.no_grad():
                radius = gan.avg.shadow(torch.randn(256, 4)).norm(dim=1).mean().item()
            print(f"{s} d {d:.3f} g {g:.3f} radius {radius:.3f}")


if __name__ == "__main__":
    main()
