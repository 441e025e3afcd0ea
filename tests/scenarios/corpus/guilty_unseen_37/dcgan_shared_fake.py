# gradwatch-corpus: kind=second-backward
# first-bad: 0
import argparse

import torch
import torch.nn as nn

torch.set_num_threads(1)


class Generator(nn.Module):
    def __init__(self, nz, ngf):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
            nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False), nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ndf, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def rings(n):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 16), torch.linspace(-1, 1, 16), indexing="ij")
    r = torch.sqrt(xx ** 2 + yy ** 2)
    radius = 0.3 + 0.5 * torch.rand(n, 1, 1)
    return (2 * torch.exp(-((r - radius) ** 2) / 0.01) - 1).unsqueeze(1)


def train(opt):
    torch.manual_seed(opt.seed)
    netG, netD = Generator(opt.nz, 8), Discriminator(8)
    optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    bce = nn.BCEWithLogitsLoss()
    real_label, fake_label = torch.ones(opt.batch), torch.zeros(opt.batch)

    for it in range(opt.niter):
        real = rings(opt.batch)
        fake = netG(torch.randn(opt.batch, opt.nz, 1, 1))

        optD.zero_grad()
        score_real = netD(real)
        score_fake = netD(fake)  # <- culprit
        lossD = bce(score_real, real_label) + bce(score_fake, fake_label)
        lossD.backward()  # <- culprit

        optG.zero_grad()
        lossG = bce(score_fake, real_label)  # <- culprit
        lossG.backward()  # <- culprit

        optD.step()
        optG.step()
        if it % 20 == 0:
            print(f"[{it}/{opt.niter}] Loss_D {lossD.item():.4f} Loss_G {lossG.item():.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--nz", type=int, default=16)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--niter", type=int, default=100)
    parser.add_argument("--seed", type=int, default=999)
    train(parser.parse_args())
