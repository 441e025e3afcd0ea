# gradwatch-corpus: kind=second-backward
# holder: fake | batch.fake
# first-bad: 1
# notice: 0
"""GAN for 8x8 stroke glyphs."""
from dataclasses import dataclass

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(999)

NZ, SIDE = 6, 8


@dataclass
class Batch:
    real: torch.Tensor
    fake: torch.Tensor


def strokes(n):
    img = torch.full((n, 1, SIDE, SIDE), -1.0)
    pos = torch.randint(1, SIDE - 1, (n,))
    vertical = torch.rand(n) < 0.5
    for k in range(n):
        if vertical[k]:
            img[k, 0, 1:-1, pos[k]] = 1.0
        else:
            img[k, 0, pos[k], 1:-1] = 1.0
    return img + 0.05 * torch.randn_like(img)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(NZ, 8, 4, 1, 0, bias=False), nn.BatchNorm2d(8), nn.ReLU(True),
            nn.ConvTranspose2d(8, 1, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(8, 1, 4, 1, 0))

    def forward(self, x):
        return self.main(x).view(-1)


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.05)


class Trainer:
    def __init__(self):
        self.netG, self.netD = Generator().apply(weights_init), Discriminator().apply(weights_init)
        self.optD = torch.optim.Adam(self.netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
        self.optG = torch.optim.Adam(self.netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
        self.criterion = nn.BCEWithLogitsLoss()

    def draw(self, n):
        return Batch(strokes(n), self.netG(torch.randn(n, NZ, 1, 1)))

    def update_d(self, batch):
        self.netD.zero_grad()
        out_real = self.netD(batch.real)
        out_fake = self.netD(batch.fake)  # <- culprit
        err = self.criterion(out_real, torch.ones_like(out_real)) + self.criterion(out_fake, torch.zeros_like(out_fake))
        err.backward()  # <- culprit
        self.optD.step()
        return err.item()

    def update_g(self, batch):
        self.netG.zero_grad()
        out = self.netD(batch.fake)
        err = self.criterion(out, torch.ones_like(out))
        err.backward()
        self.optG.step()
        return err.item()

    def fit(self, iters):
        for i in range(iters):
            batch = self.draw(16)
            d = self.update_d(batch)
            g = self.update_g(batch)
            if i % 50 == 0:
                print(f"[{i}/{iters}] loss_D {d:.4f} loss_G {g:.4f}")


Trainer().fit(400)
