# gradwatch-corpus: kind=none
"""Adversarial downscaling of coarse rain fields (4x4 to 16x16) with gradient penalty and
an averaged generator; follows the recipe of the group's earlier wind paper."""
import copy
import math

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class RainCells:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        g = torch.linspace(0, 1, 16)
        self.y, self.x = torch.meshgrid(g, g, indexing="ij")

    def fine(self, n):
        c = torch.rand(n, 3, 2, 1, 1, generator=self.gen)
        s = 0.04 + 0.15 * torch.rand(n, 3, 1, 1, generator=self.gen)
        d2 = (self.x - c[:, :, 0]) ** 2 + (self.y - c[:, :, 1]) ** 2
        return torch.exp(-d2 / (2 * s ** 2)).sum(1, keepdim=True)

    def pair(self, n):
        fine = self.fine(n)
        return F.avg_pool2d(fine, 4), fine

    def noise(self, n):
        return torch.randn(n, 2, 16, 16, generator=self.gen)

    def mix(self, n):
        return torch.rand(n, 1, 1, 1, generator=self.gen)


class Generator(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.a = nn.Conv2d(3, c, 3, padding=1)
        self.b = nn.Conv2d(c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 1, 3, padding=1)

    def forward(self, coarse, z):
        up = F.interpolate(coarse, scale_factor=4, mode="bilinear", align_corners=False)
        h = F.leaky_relu(self.a(torch.cat((up, z), 1)), 0.2)
        h = F.leaky_relu(self.b(h), 0.2) + h
        return F.softplus(self.out(h) + up)


class Critic(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(2, c, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(c, 2 * c, 4, 2, 1),
                                 nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(2 * c * 16, 1))

    def forward(self, field, coarse):
        return self.net(torch.cat((field, F.interpolate(coarse, scale_factor=4)), 1)).squeeze(1)


class Average:
    """Bias-corrected running mean; accepts tensors or numbers."""

    def __init__(self, beta=0.98):
        self.beta, self.value, self.n = beta, torch.zeros(()), 0

    def add(self, v):
        with torch.no_grad():
            self.value = self.beta * self.value + (1 - self.beta) * v
        self.n += 1

    def __format__(self, spec):
        return format(self.value.item() / (1 - self.beta ** max(self.n, 1)), spec)


def gradient_penalty(critic, real, fake, coarse, eps):
    blend = (eps * real + (1 - eps) * fake).requires_grad_()
    score = critic(blend, coarse)
    slope, = torch.autograd.grad(score.sum(), blend, create_graph=True)
    return (slope.flatten(1).norm(dim=1) - 1).pow(2).mean()


class Gan:
    def __init__(self):
        self.G, self.D = Generator(), Critic()
        self.G_avg = copy.deepcopy(self.G).requires_grad_(False)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.log = {k: Average() for k in ("wasserstein", "penalty", "mass")}

    def critic_step(self, world, n=8):
        coarse, real = world.pair(n)
        with torch.no_grad():
            fake = self.G(coarse, world.noise(n))
        gap = self.D(real, coarse).mean() - self.D(fake, coarse).mean()
        gp = gradient_penalty(self.D, real, fake, coarse, world.mix(n))
        self.opt_d.zero_grad()
        (10 * gp - gap).backward()
        self.opt_d.step()
        self.log["wasserstein"].add(gap)
        self.log["penalty"].add(gp)

    def generator_step(self, world, n=8):
        coarse, _ = world.pair(n)
        fake = self.G(coarse, world.noise(n))
        mass = F.l1_loss(F.avg_pool2d(fake, 4), coarse)
        self.D.requires_grad_(False)
        self.opt_g.zero_grad()
        (20 * mass - self.D(fake, coarse).mean()).backward()
        self.opt_g.step()
        self.D.requires_grad_(True)
        self.log["mass"].add(mass)
        for slow, fast in zip(self.G_avg.parameters(), self.G.parameters()):
            slow.lerp_(fast.detach(), 0.01)

    @torch.no_grad()
    def spread(self, world, members=6):
        coarse, _ = world.pair(1)
        runs = self.G_avg(coarse.expand(members, -1, -1, -1), world.noise(members))
        return math.sqrt(runs.var(dim=0).mean().item())


if __name__ == "__main__":
    torch.manual_seed(6)
    world, gan = RainCells(seed=6), Gan()
    for it in range(220):
        gan.critic_step(world)
        gan.generator_step(world)
        if (it + 1) % 55 == 0:
            print(f"{it + 1:4d}  " + "  ".join(f"{k} {v:.4f}" for k, v in gan.log.items())
                  + f"  ensemble spread {gan.spread(world):.4f}")
