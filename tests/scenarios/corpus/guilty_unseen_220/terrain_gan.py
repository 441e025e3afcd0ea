# gradwatch-corpus: kind=second-backward
# first-bad: 7
"""Adversarial heightmap generator; every few rounds both players move together."""
import itertools
import math

import torch
from torch import nn
import torch.nn.functional as F

SIZE = 16
LATENT = 24
ROUNDS = 90
CRITIC_ROUNDS = 8


def heightmaps(n, gen):
    axis = torch.linspace(0, 2 * math.pi, SIZE)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    total = torch.zeros(n, SIZE, SIZE)
    for octave in (1, 2, 4):
        a = torch.rand(n, 2, 1, 1, generator=gen) * 2 * math.pi
        ridge = torch.sin(octave * xx + a[:, 0]) * torch.cos(octave * yy + a[:, 1])
        total = total + ridge / octave
    return (total / 1.75).unsqueeze(1)


def make_generator():
    return nn.Sequential(
        nn.Linear(LATENT, 32 * 4 * 4),
        nn.Unflatten(1, (32, 4, 4)),
        nn.ReLU(),
        nn.ConvTranspose2d(32, 16, 4, 2, 1),
        nn.ReLU(),
        nn.ConvTranspose2d(16, 1, 4, 2, 1),
        nn.Tanh(),
    )


def make_discriminator():
    return nn.Sequential(
        nn.Conv2d(1, 16, 4, 2, 1),
        nn.LeakyReLU(0.2),
        nn.Conv2d(16, 32, 4, 2, 1),
        nn.LeakyReLU(0.2),
        nn.Flatten(),
        nn.Linear(32 * 4 * 4, 1),
    )


class Duel:
    def __init__(self, gen, disc):
        self.gen = gen
        self.disc = disc
        betas = (0.5, 0.99)
        self.gen_opt = torch.optim.Adam(gen.parameters(), 2e-4, betas)
        self.disc_opt = torch.optim.Adam(disc.parameters(), 2e-4, betas)

    def critic_move(self, real, z):
        with torch.no_grad():
            fake = self.gen(z)
        return self._judge(real, fake)

    def _judge(self, real, fake):
        loss = F.softplus(-self.disc(real)).mean() + F.softplus(self.disc(fake)).mean()
        self.disc_opt.zero_grad()
        loss.backward()
        self.disc_opt.step()
        return loss.item()

    def joint_move(self, real, z):
        fake = self.gen(z)
        disc_loss = self._judge(real, fake)  # <- culprit
        gen_loss = F.softplus(-self.disc(fake)).mean()  # <- culprit
        self.gen_opt.zero_grad()
        gen_loss.backward()
        self.gen_opt.step()
        return disc_loss, gen_loss.item()


def main():
    torch.manual_seed(71)
    source = torch.Generator().manual_seed(71)
    duel = Duel(make_generator(), make_discriminator())
    schedule = itertools.cycle([False] * (CRITIC_ROUNDS - 1) + [True])
    for round_no, joint in zip(range(ROUNDS), schedule):
        real = heightmaps(32, source)
        z = torch.randn(32, LATENT)
        if joint:
            d, g = duel.joint_move(real, z)
            print(f"round {round_no} d {d:.3f} g {g:.3f}")
        else:
            duel.critic_move(real, z)


if __name__ == "__main__":
    main()
