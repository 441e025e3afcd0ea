# gradwatch-corpus: kind=crashed
# holder: fake
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(999)
nz, ngf, ndf, batch_size = 16, 8, 8, 16
real_label, fake_label = 1., 0.

netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
    nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False), nn.Tanh())
netD = nn.Sequential(
    nn.Conv2d(1, ndf, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf, ndf * 2, 4, 2, 1), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 2, 1, 4, 1, 0), nn.Flatten(0))


def weights_init(m):
    if "Conv" in type(m).__name__:
        nn.init.normal_(m.weight, 0.0, 0.02)


def set_requires_grad(net, flag):
    for p in net.parameters():
        p.requires_grad_(flag)


netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
ramp = torch.linspace(-1, 1, 16).view(1, 1, 1, 16)

for i in range(300):
    real = (ramp.expand(batch_size, 1, 16, 16) + 0.1 * torch.randn(batch_size, 1, 16, 16)).clamp(-1, 1)
    noise = torch.randn(batch_size, nz, 1, 1)

    # (1) Update D network
    set_requires_grad(netD, True)
    netD.zero_grad()
    label = torch.full((batch_size,), real_label)
    errD_real = criterion(netD(real), label)
    fake = netG(noise).detach()  # <- culprit
    errD_fake = criterion(netD(fake), label.new_full((batch_size,), fake_label))
    errD = errD_real + errD_fake
    errD.backward()
    optimizerD.step()

    # (2) Update G network
    set_requires_grad(netD, False)
    netG.zero_grad()
    errG = criterion(netD(fake), label)
    errG.backward()
    optimizerG.step()
    if i % 50 == 0:
        print(f"[{i}/300] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")
