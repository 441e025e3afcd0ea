# gradwatch-corpus: kind=none
"""GAN on a ring of Gaussians; one fake batch serves both players, with gradient penalty."""
import math

import torch
import torch.nn.functional as F
from torch import nn


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, o))


class Ring:
    def __init__(self, modes=8, seed=7):
        self.g = torch.Generator().manual_seed(seed)
        self.modes = modes

    def sample(self, n):
        a = torch.randint(0, self.modes, (n,), generator=self.g) * (2 * math.pi / self.modes)
        return torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2, generator=self.g)

    def noise(self, n):
        return torch.randn(n, 4, generator=self.g)


def penalty(disc, real, fake):
    mix = torch.rand(real.shape[0], 1)
    x = (mix * real + (1 - mix) * fake.detach()).requires_grad_(True)
    grad, = torch.autograd.grad(disc(x).sum(), x, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


class GAN:
    def __init__(self):
        self.gen, self.disc = mlp(4, 2), mlp(2, 1)
        self.g_opt = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.disc.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.pool = []

    def remember(self, fake, size=40):
        self.pool.append(fake.detach())
        if len(self.pool) > size:
            self.pool.pop(0)

    def step(self, real, z):
        fake = self.gen(z)
        self.remember(fake)
        replay = self.pool[len(self.pool) // 2]

        score = self.disc(fake)
        self.g_opt.zero_grad()
        self.disc.requires_grad_(False)
        g_loss = F.softplus(-self.disc(fake)).mean()
        g_grads = torch.autograd.grad(g_loss, list(self.gen.parameters()), retain_graph=True)
        self.disc.requires_grad_(True)

        d_loss = F.softplus(score).mean() + F.softplus(-self.disc(real)).mean()
        d_loss = d_loss + F.softplus(self.disc(replay)).mean() + penalty(self.disc, real, fake)
        self.d_opt.zero_grad()
        d_loss.backward()
        self.d_opt.step()

        for p, g in zip(self.gen.parameters(), g_grads):
            p.grad = g
        self.g_opt.step()
        return d_loss.item(), g_loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    ring, gan, history = Ring(), GAN(), []
    for it in range(450):
        history.append(gan.step(ring.sample(32), ring.noise(32)))
        if it % 75 == 0:
            print(it, [round(v, 3) for v in history[-1]], flush=True)
