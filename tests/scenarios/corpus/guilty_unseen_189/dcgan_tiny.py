# gradwatch-corpus: kind=second-backward
# first-bad: 0
import argparse

import torch
import torch.nn as nn
import torch.optim as optim

parser = argparse.ArgumentParser()
parser.add_argument("--batchSize", type=int, default=8)
parser.add_argument("--nz", type=int, default=10)
parser.add_argument("--ngf", type=int, default=8)
parser.add_argument("--ndf", type=int, default=8)
parser.add_argument("--niter", type=int, default=4)
parser.add_argument("--lr", type=float, default=0.0005)
parser.add_argument("--beta1", type=float, default=0.5)
parser.add_argument("--manualSeed", type=int, default=999)
opt = parser.parse_args()
torch.manual_seed(opt.manualSeed)


def striped_images(n, seed):
    g = torch.Generator().manual_seed(seed)
    freq = torch.randint(1, 4, (n, 1, 1, 1), generator=g)
    phase = torch.rand(n, 1, 1, 1, generator=g) * 6.28
    x = torch.linspace(0, 6.28, 16).view(1, 1, 1, 16)
    return torch.sin(freq * x + phase).expand(n, 1, 16, 16) + 0.1 * torch.randn(n, 1, 16, 16, generator=g)


dataset = torch.utils.data.TensorDataset(striped_images(800, 1))
dataloader = torch.utils.data.DataLoader(dataset, batch_size=opt.batchSize, shuffle=True)


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


class Generator(nn.Module):
    def __init__(self, nz, ngf):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(),
            nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False), nn.Sigmoid())

    def forward(self, x):
        return self.main(x).view(-1)


netG = Generator(opt.nz, opt.ngf)
netG.apply(weights_init)
netD = Discriminator(opt.ndf)
netD.apply(weights_init)
criterion = nn.BCELoss()
optimizerD = optim.Adam(netD.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
real_label, fake_label = 1.0, 0.0

for epoch in range(opt.niter):
    for i, (real,) in enumerate(dataloader):
        # (1) update D: maximise log(D(x)) + log(1 - D(G(z)))
        netD.zero_grad()
        label = torch.full((real.size(0),), real_label)
        output = netD(real)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        noise = torch.randn(real.size(0), opt.nz, 1, 1)
        fake = netG(noise)
        label.fill_(fake_label)
        output = netD(fake)  # <- culprit
        errD_fake = criterion(output, label)
        errD_fake.backward()
        D_G_z1 = output.mean().item()
        optimizerD.step()

        # (2) update G: maximise log(D(G(z)))
        netG.zero_grad()
        label = torch.full((real.size(0),), real_label)
        output = netD(fake)
        errG = criterion(output, label)
        errG.backward()
        D_G_z2 = output.mean().item()
        optimizerG.step()
        if i % 50 == 0:
            print(f"[{epoch}/{opt.niter}][{i}/{len(dataloader)}] Loss_D {(errD_real + errD_fake).item():.4f} "
                  f"Loss_G {errG.item():.4f} D(x) {D_x:.4f} D(G(z)) {D_G_z1:.4f}/{D_G_z2:.4f}")
