import random

import torch
from torch import nn


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.Softplus()]
    return nn.Sequential(*layers[:-1])


class Replay(list):
    def swap(self, fake, limit=40):
        if len(self) < limit:
            self.append(fake.detach())
            return fake
        k = random.randrange(limit)
        old, self[k] = self[k], fake.detach()
        return old


class DuneGAN:
    def __init__(self, points, latent, hooks):
        self.points, self.latent, self.hooks = points, latent, hooks
        self.G, self.D = mlp(latent, 24, points), mlp(points, 24, 1)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.replay = Replay()

    def real(self, n):
        x = torch.linspace(0, 1, self.points)
        crest = 0.5 + 0.3 * torch.rand(n, 1)
        return torch.where(x < crest, x / crest, (1 - x) / (1 - crest))

    def penalty(self, real, fake):
        mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
        (g,) = torch.autograd.grad(self.D(mix).sum(), mix, create_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()

    def critic(self, fake):
        real = self.real(len(fake))
        fake = self.replay.swap(fake).detach()
        gap = self.D(fake).mean() - self.D(real).mean()
        gp = self.penalty(real, fake)
        self.opt_d.zero_grad()
        (gap + 5 * gp).backward()
        self.opt_d.step()
        return gap, gp

    def train(self, steps):
        for step in range(steps):
            fake = self.G(torch.randn(16, self.latent))
            gap, gp = self.critic(fake)
            # two terms, backed up one after the other through the same fakes
            self.opt_g.zero_grad()
            adv = -self.D(fake).mean()
            rough = fake.diff(n=2).pow(2).mean()
            adv.backward(retain_graph=True)
            (0.1 * rough).backward()
            self.opt_g.step()
            self.hooks.stepped(step, gap=gap, penalty=gp, rough=rough)
