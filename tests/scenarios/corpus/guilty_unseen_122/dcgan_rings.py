# gradwatch-corpus: kind=second-backward
# holder: fake
# first-bad: 0
# notice: 0
# DCGAN, 8x8 rings instead of faces so it runs on my laptop.
import torch
torch.set_num_threads(1)
from torch import nn

torch.manual_seed(999)
nz, ngf, ndf, bs = 8, 8, 8, 16


def real_batch(n):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, 8), torch.linspace(-1, 1, 8), indexing="ij")
    r = 0.4 + 0.4 * torch.rand(n, 1, 1, 1)
    ring = torch.exp(-((xx ** 2 + yy ** 2).sqrt() - r) ** 2 / 0.05)
    return ring * 2 - 1


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)
    elif isinstance(m, nn.BatchNorm2d):
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 2, 1, 4, 2, 1, bias=False), nn.Tanh(),
).apply(weights_init)
netD = nn.Sequential(
    nn.Conv2d(1, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2),
    nn.Conv2d(ndf, 1, 4, 1, 0, bias=False), nn.Flatten(0),
).apply(weights_init)

bce = nn.BCEWithLogitsLoss()
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
ones, zeros = torch.ones(bs), torch.zeros(bs)

for it in range(500):
    real = real_batch(bs)
    fake = netG(torch.randn(bs, nz, 1, 1))

    # (1) D: maximize log(D(x)) + log(1 - D(G(z)))
    optD.zero_grad()
    errD = bce(netD(real), ones) + bce(netD(fake), zeros)  # <- culprit
    errD.backward()

    # (2) G: maximize log(D(G(z)))
    optG.zero_grad()
    errG = bce(netD(fake), ones)
    errG.backward()

    optD.step()
    optG.step()
    if it % 100 == 0:
        print("[%d] Loss_D: %.4f Loss_G: %.4f" % (it, errD.item(), errG.item()))
