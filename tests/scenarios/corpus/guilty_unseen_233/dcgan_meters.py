# gradwatch-corpus: kind=graph-held
# holder: meters["errD"].sum | self.sum | meters["errD"]
# first-bad: 1
import torch
import torch.nn as nn


class AverageMeter(object):
    """Computes and stores the average and current value"""

    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.val = 0
        self.sum = 0
        self.count = 0

    def update(self, val, n=1):
        self.val = val
        self.sum = self.sum + val * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)

    def __str__(self):
        return f"{self.name} {float(self.val):.4f} ({float(self.avg):.4f})"


def weights_init(m):
    if isinstance(m, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)


class Generator(nn.Module):
    def __init__(self, nz=8, ngf=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, 1, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self, ndf=8):
        super().__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, 1, 4, 1, 0, bias=False),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def real_batch(n):
    yy, xx = torch.meshgrid(torch.arange(8.0), torch.arange(8.0), indexing="ij")
    c = 2 + 4 * torch.rand(n, 2, 1, 1)
    d2 = (yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2
    return (2 * torch.exp(-d2 / 3) - 1).unsqueeze(1)


torch.manual_seed(999)
nz = 8
netG = Generator(nz)
netD = Discriminator()
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
fixed_noise = torch.randn(4, nz, 1, 1)
meters = {k: AverageMeter(k) for k in ("errD", "errG", "D_x")}

for i in range(120):
    # (1) Update D network
    netD.zero_grad()
    real = real_batch(32)
    b_size = real.size(0)
    output = netD(real)
    errD_real = criterion(output, torch.ones(b_size))
    noise = torch.randn(b_size, nz, 1, 1)
    fake = netG(noise)
    output_fake = netD(fake.detach())
    errD_fake = criterion(output_fake, torch.zeros(b_size))
    errD = errD_real + errD_fake
    errD.backward()
    optimizerD.step()
    # (2) Update G network
    netG.zero_grad()
    output = netD(fake)
    errG = criterion(output, torch.ones(b_size))
    errG.backward()
    optimizerG.step()

    meters["errD"].update(errD, b_size)  # <- culprit
    meters["errG"].update(errG.item(), b_size)
    meters["D_x"].update(torch.sigmoid(output).mean().item(), b_size)
    if i % 30 == 0:
        print(i, " | ".join(str(m) for m in meters.values()))

with torch.no_grad():
    print("fake range", netG(fixed_noise).aminmax())
