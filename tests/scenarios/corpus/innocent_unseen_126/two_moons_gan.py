# gradwatch-corpus: kind=none
import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(101)


def moons(n):
    a = torch.rand(n) * math.pi
    side = torch.randint(0, 2, (n,)).float()
    x = torch.cos(a) * (1 - 2 * side) + side
    y = torch.sin(a) * (1 - 2 * side) + 0.5 * side
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2)


netG = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 2))
netD = nn.Sequential(nn.Linear(2, 24), nn.LeakyReLU(0.2), nn.Linear(24, 1))
optG = torch.optim.Adam(netG.parameters(), 1e-3, betas=(0.5, 0.9))
optD = torch.optim.Adam(netD.parameters(), 1e-3, betas=(0.5, 0.9))
bce = nn.BCEWithLogitsLoss()
fixed = torch.randn(32, 4)
snaps, G_losses, D_losses = [], [], []

for it in range(900):
    b_real = moons(32)
    fake = netG(torch.randn(32, 4))

    netD.zero_grad()
    errD_real = bce(netD(b_real), torch.ones(32, 1))
    errD_real.backward()
    errD_fake = bce(netD(fake.detach()), torch.zeros(32, 1))
    errD_fake.backward()
    errD = errD_real + errD_fake
    optD.step()

    netG.zero_grad()
    errG = bce(netD(fake), torch.ones(32, 1))
    errG.backward()
    optG.step()

    G_losses.append(errG.item())
    D_losses.append(errD.item())
    if it % 90 == 0:
        with torch.no_grad():
            snaps.append(netG(fixed))
        print(it, G_losses[-1], D_losses[-1], len(snaps))
