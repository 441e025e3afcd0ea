# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Conditional GAN for two half moons."""
import math

import torch
from torch import nn

bce = nn.BCEWithLogitsLoss()


def half_moons(n, gen):
    c = torch.randint(0, 2, (n,), generator=gen)
    t = torch.rand(n, generator=gen) * math.pi
    x = torch.where(c == 0, t.cos(), 1 - t.cos())
    y = torch.where(c == 0, t.sin(), 0.5 - t.sin())
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2, generator=gen), c


class CondG(nn.Module):
    def __init__(self, z=4, h=24):
        super().__init__()
        self.z = z
        self.label = nn.Embedding(2, 4)
        self.f = nn.Sequential(nn.Linear(z + 4, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, 2))

    def forward(self, c):
        return self.f(torch.cat([torch.randn(len(c), self.z), self.label(c)], 1))


class CondD(nn.Module):
    def __init__(self, h=24):
        super().__init__()
        self.label = nn.Embedding(2, 4)
        self.f = nn.Sequential(nn.Linear(6, h), nn.LeakyReLU(0.1), nn.Linear(h, 1))

    def forward(self, x, c):
        return self.f(torch.cat([x, self.label(c)], 1)).squeeze(1)


class GanTrainer:
    def __init__(self, lr=1e-3):
        self.G, self.D = CondG(), CondD()
        self.optG = torch.optim.Adam(self.G.parameters(), lr, betas=(0.5, 0.99))
        self.optD = torch.optim.Adam(self.D.parameters(), lr, betas=(0.5, 0.99))
        self.log = {"d": [], "g": []}

    def iteration(self, real, c):
        ones, zeros = torch.ones(len(c)), torch.zeros(len(c))
        fake = self.G(c)

        self.optD.zero_grad()
        d_real = bce(self.D(real, c), ones)
        d_fake = bce(self.D(fake, c), zeros)  # <- culprit
        d_loss = 0.5 * (d_real + d_fake)
        d_loss.backward()
        self.optD.step()

        self.optG.zero_grad()
        g_loss = bce(self.D(fake, c), ones)
        g_loss.backward()
        self.optG.step()

        self.log["d"].append(d_loss.item())
        self.log["g"].append(g_loss.item())


if __name__ == "__main__":
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    trainer = GanTrainer()
    for it in range(500):
        x, c = half_moons(32, gen)
        trainer.iteration(x, c)
        if it % 100 == 0:
            print(it, trainer.log["d"][-1], trainer.log["g"][-1])
