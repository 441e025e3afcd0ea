# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Vanilla GAN on a ring of eight Gaussians, my sandbox for the chapter on mode coverage.
Non-saturating generator loss, Adam for both players."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    steps: int = 260
    batch: int = 128
    latent: int = 8
    hidden: int = 64
    lr_g: float = 1e-3
    lr_d: float = 5e-4
    modes: int = 8
    radius: float = 2.0
    noise: float = 0.05
    report: int = 50


class Ring:
    def __init__(self, cfg, generator):
        angles = torch.arange(cfg.modes) * (2 * math.pi / cfg.modes)
        self.centers = cfg.radius * torch.stack([angles.cos(), angles.sin()], dim=1)
        self.noise = cfg.noise
        self.generator = generator

    def draw(self, n):
        which = torch.randint(len(self.centers), (n,), generator=self.generator)
        return self.centers[which] + self.noise * torch.randn(n, 2, generator=self.generator)

    @torch.no_grad()
    def coverage(self, points):
        distance = torch.cdist(points, self.centers)
        nearest, index = distance.min(dim=1)
        good = nearest < 6 * self.noise
        return int(index[good].unique().numel()), float(good.float().mean())


def mlp(n_in, n_hidden, n_out):
    return nn.Sequential(
        nn.Linear(n_in, n_hidden), nn.LeakyReLU(0.2),
        nn.Linear(n_hidden, n_hidden), nn.LeakyReLU(0.2),
        nn.Linear(n_hidden, n_out),
    )


def d_objective(real_logits, fake_logits):
    return (F.softplus(-real_logits) + F.softplus(fake_logits)).mean()


def g_objective(fake_logits):
    return F.softplus(-fake_logits).mean()


class RingGAN:
    def __init__(self, cfg):
        self.cfg = cfg
        self.G = mlp(cfg.latent, cfg.hidden, 2)
        self.D = mlp(2, cfg.hidden, 1)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=cfg.lr_g, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=cfg.lr_d, betas=(0.5, 0.99))

    def latent(self, n):
        return torch.randn(n, self.cfg.latent)

    def train_discriminator(self, real, fake):
        self.opt_g.zero_grad()  # <- culprit
        loss = d_objective(self.D(real), self.D(fake.detach()))
        loss.backward()  # <- culprit
        self.opt_d.step()  # <- culprit
        return loss.item()

    def train_generator(self, fake):
        self.opt_g.zero_grad()
        loss = g_objective(self.D(fake))
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def train_step(self, real):
        fake = self.G(self.latent(len(real)))
        return self.train_discriminator(real, fake), self.train_generator(fake)

    @torch.no_grad()
    def sample(self, n):
        return self.G(self.latent(n))


def main():
    torch.manual_seed(11)
    cfg = Config()
    ring = Ring(cfg, torch.Generator().manual_seed(4))
    gan = RingGAN(cfg)
    avg_d = avg_g = 0.0
    for step in range(cfg.steps):
        d, g = gan.train_step(ring.draw(cfg.batch))
        avg_d = 0.95 * avg_d + 0.05 * d
        avg_g = 0.95 * avg_g + 0.05 * g
        if (step + 1) % cfg.report == 0:
            modes, quality = ring.coverage(gan.sample(512))
            print(f"{step + 1:5d}  D {avg_d:.3f}  G {avg_g:.3f}  modes {modes}/8  on-mode {quality:.1%}")


if __name__ == "__main__":
    main()
