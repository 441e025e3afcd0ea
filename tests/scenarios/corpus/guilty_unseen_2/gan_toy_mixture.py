# gradwatch-corpus: kind=second-backward
# first-bad: 0
# notice: 1
"""GAN on an eight-Gaussian mixture. Non-saturating loss."""
import math

import torch
import torch.nn as nn
from torch.nn.functional import softplus


def mixture(n):
    k = torch.randint(0, 8, (n,)).float() * math.tau / 8
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def block(i, o):
    return [nn.Linear(i, o), nn.LeakyReLU(0.2)]


class GAN:
    def __init__(self, z=4, h=32):
        self.z = z
        self.G = nn.Sequential(*block(z, h), *block(h, h), nn.Linear(h, 2))
        self.D = nn.Sequential(*block(2, h), *block(h, h), nn.Linear(h, 1))
        self.og = torch.optim.Adam(self.G.parameters(), 1e-3, betas=(0.5, 0.99))
        self.od = torch.optim.Adam(self.D.parameters(), 1e-3, betas=(0.5, 0.99))

    def iterate(self, n):
        real = mixture(n)
        fake = self.G(torch.randn(n, self.z))

        self.od.zero_grad()
        d_loss = softplus(-self.D(real)).mean() + softplus(self.D(fake)).mean()  # <- culprit
        d_loss.backward()  # <- culprit
        self.od.step()

        self.og.zero_grad()
        g_loss = softplus(-self.D(fake)).mean()
        g_loss.backward()
        self.og.step()
        return d_loss.item(), g_loss.item()


if __name__ == "__main__":
    torch.manual_seed(9)
    gan = GAN()
    for i in range(150):
        d, g = gan.iterate(64)
        if i % 30 == 0:
            print("%d d=%.3f g=%.3f" % (i, d, g))
