# gradwatch-corpus: kind=second-backward
# first-bad: 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(999)

nz = 16
ngf = 16
ndf = 16
batch_size = 32
num_iters = 500
real_label = 0.9
fake_label = 0.0


def weights_init(m):
    name = m.__class__.__name__
    if name.find("Conv") != -1:
        nn.init.normal_(m.weight, 0.0, 0.02)
    elif name.find("BatchNorm") != -1:
        nn.init.normal_(m.weight, 1.0, 0.02)
        nn.init.zeros_(m.bias)


netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
    nn.BatchNorm2d(ngf * 2),
    nn.ReLU(),
    nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
    nn.BatchNorm2d(ngf),
    nn.ReLU(),
    nn.ConvTranspose2d(ngf, 1, 4, 2, 1),
    nn.Tanh(),
)

netD = nn.Sequential(
    nn.Conv2d(1, ndf, 4, 2, 1),
    nn.LeakyReLU(0.2),
    nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
    nn.BatchNorm2d(ndf * 2),
    nn.LeakyReLU(0.2),
    nn.Conv2d(ndf * 2, 1, 4, 1, 0),
    nn.Flatten(0),
)
netG.apply(weights_init)
netD.apply(weights_init)

# blobs at random places as "images"
grid = torch.stack(torch.meshgrid(torch.linspace(-1, 1, 16), torch.linspace(-1, 1, 16), indexing="ij"))


def real_batch(n):
    c = torch.rand(n, 2, 1, 1) - 0.5
    d = ((grid[None] - c) ** 2).sum(1, keepdim=True)
    return 2 * torch.exp(-d / 0.08) - 1


criterion = nn.BCEWithLogitsLoss()
optD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))

G_losses, D_losses = [], []
for it in range(num_iters):
    # (1) update D
    netD.zero_grad()
    real = real_batch(batch_size)
    errD_real = criterion(netD(real), torch.full((batch_size,), real_label))
    errD_real.backward()

    fake = netG(torch.randn(batch_size, nz, 1, 1))
    errD_fake = criterion(netD(fake), torch.full((batch_size,), fake_label))  # <- culprit
    errD_fake.backward()
    optD.step()

    # (2) update G
    netG.zero_grad()
    errG = criterion(netD(fake), torch.full((batch_size,), real_label))
    errG.backward()
    optG.step()

    G_losses.append(errG.item())
    D_losses.append((errD_real + errD_fake).item())
    if it % 50 == 0:
        print("[%d/%d] D %.4f G %.4f" % (it, num_iters, D_losses[-1], G_losses[-1]))
