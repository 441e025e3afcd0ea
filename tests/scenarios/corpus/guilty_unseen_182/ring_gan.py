# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Non-saturating GAN on a ring of eight Gaussians."""
import math

import torch
from torch import nn
from torch.nn import functional as F


def ring(n):
    k = torch.randint(0, 8, (n,))
    ang = k.float() * (2 * math.pi / 8)
    mean = torch.stack([ang.cos(), ang.sin()], 1) * 2.0
    return mean + 0.05 * torch.randn(n, 2)


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for i in range(len(sizes) - 1):
        layers.append(nn.Linear(sizes[i], sizes[i + 1]))
        if i < len(sizes) - 2:
            layers.append(act(0.2))
    return nn.Sequential(*layers)


def modes_covered(samples, radius=0.3):
    ang = torch.arange(8).float() * (2 * math.pi / 8)
    centres = torch.stack([ang.cos(), ang.sin()], 1) * 2.0
    dist = torch.cdist(samples, centres)
    near = dist.min(1)
    return int(torch.unique(near.indices[near.values < radius]).numel())


class RingGAN:
    def __init__(self, z_dim=8, lr=1e-3):
        self.z_dim = z_dim
        self.gen = mlp(z_dim, 32, 32, 2)
        self.disc = mlp(2, 32, 32, 1)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.disc.parameters(), lr=lr, betas=(0.5, 0.999))

    def step(self, real):
        z = torch.randn(real.shape[0], self.z_dim)
        fake = self.gen(z)

        self.opt_d.zero_grad()
        score_real = self.disc(real)
        score_fake = self.disc(fake)  # <- culprit
        loss_d = F.softplus(-score_real).mean() + F.softplus(score_fake).mean()
        loss_d.backward()
        self.opt_d.step()

        self.opt_g.zero_grad()
        loss_g = F.softplus(-self.disc(fake)).mean()
        loss_g.backward()
        self.opt_g.step()
        return loss_d.item(), loss_g.item()

    @torch.no_grad()
    def sample(self, n):
        return self.gen(torch.randn(n, self.z_dim))


def main():
    torch.manual_seed(77)
    gan = RingGAN()
    for it in range(1000):
        ld, lg = gan.step(ring(64))
        if it % 100 == 0:
            print(f"it {it:5d} D {ld:.3f} G {lg:.3f} modes {modes_covered(gan.sample(400))}")


if __name__ == "__main__":
    main()
