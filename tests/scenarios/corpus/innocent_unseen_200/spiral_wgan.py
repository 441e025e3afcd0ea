# gradwatch-corpus: kind=none
"""WGAN with gradient penalty on a spiral, keeping fixed-noise samples for a film."""
import copy
import math

import torch
from torch import nn


def spiral(n):
    t = torch.rand(n).sqrt() * 3 * math.pi
    return torch.stack([t * t.cos(), t * t.sin()], 1) / 9 + 0.02 * torch.randn(n, 2)


def mlp(i, o, h=24):
    return nn.Sequential(nn.Linear(i, h), nn.Softplus(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, o))


def gradient_penalty(critic, real, fake):
    a = torch.rand(len(real), 1)
    mix = (a * real + (1 - a) * fake).requires_grad_(True)
    score = critic(mix)
    (grad,) = torch.autograd.grad(score.sum(), mix, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean(), grad


class Average:
    """Exponential average of the generator, used for the film."""

    def __init__(self, module, beta=0.99):
        self.module, self.beta = copy.deepcopy(module).requires_grad_(False), beta

    def follow(self, src):
        with torch.no_grad():
            for a, b in zip(self.module.parameters(), src.parameters()):
                a.mul_(self.beta).add_((1 - self.beta) * b)


class WGAN:
    def __init__(self, z=4, lam=1.0):
        self.z, self.lam = z, lam
        self.G, self.C = mlp(z, 2), mlp(2, 1)
        self.avg = Average(self.G)
        self.g_opt = torch.optim.Adam(self.G.parameters(), 1e-3, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(self.C.parameters(), 1e-3, betas=(0.0, 0.9))
        self.norms, self.wass, self.film = [], [], []
        self.noise = torch.randn(32, z)

    def critic_step(self, real):
        fake = self.G(torch.randn(len(real), self.z)).detach()
        gp, grad = gradient_penalty(self.C, real, fake)
        gap = self.C(real).mean() - self.C(fake).mean()
        self.c_opt.zero_grad()
        (self.lam * gp - gap).backward()
        self.c_opt.step()
        self.norms.append(grad.detach().norm(dim=1).mean())
        self.wass.append(gap.item())

    def generator_step(self, n):
        fake = self.G(torch.randn(n, self.z))
        loss = -self.C(fake).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        self.avg.follow(self.G)
        self.film.append(self.avg.module(self.noise))


def main(iters=420, n=32):
    torch.manual_seed(15)
    gan = WGAN()
    for it in range(iters):
        for _ in range(2):
            gan.critic_step(spiral(n))
        gan.generator_step(n)
        if it % 70 == 0:
            print(f"{it} gap {gan.wass[-1]:.4f} |grad| {torch.stack(gan.norms[-20:]).mean():.3f} frames {len(gan.film)}")
        if len(gan.norms) > 60:
            del gan.norms[:20]
        if len(gan.film) > 30:
            gan.film.pop(0)


if __name__ == "__main__":
    main()
