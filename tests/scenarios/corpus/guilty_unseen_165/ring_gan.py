# gradwatch-corpus: kind=second-backward
# first-bad: 1
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(17)

LATENT = 8


def real_batch(n):
    theta = torch.rand(n) * 2 * math.pi
    r = 1.0 + 0.05 * torch.randn(n)
    return torch.stack([r * theta.cos(), r * theta.sin()], dim=1)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(LATENT, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))

    def forward(self, z):
        return self.net(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x):
        return self.net(x).squeeze(-1)


class GANTrainer:
    def __init__(self, batch_size=32):
        self.G, self.D = Generator(), Discriminator()
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.5, 0.999))
        self.bce = nn.BCEWithLogitsLoss()
        self.batch_size = batch_size

    def discriminator_step(self, real, fake):
        ones, zeros = torch.ones(len(real)), torch.zeros(len(fake))
        loss = self.bce(self.D(real), ones) + self.bce(self.D(fake), zeros)  # <- culprit
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return loss.item()

    def generator_step(self, fake):
        loss = self.bce(self.D(fake), torch.ones(len(fake)))
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return loss.item()

    def train(self, steps):
        for step in range(steps):
            real = real_batch(self.batch_size)
            fake = self.G(torch.randn(self.batch_size, LATENT))  # <- culprit
            d_loss = self.discriminator_step(real, fake)  # <- culprit
            g_loss = self.generator_step(fake)
            if step % 50 == 0:
                print(f"{step:4d} d {d_loss:.3f} g {g_loss:.3f}")


if __name__ == "__main__":
    trainer = GANTrainer()
    trainer.train(steps=300)
