# gradwatch-corpus: kind=retain-needless
# first-bad: 0
import math

import torch
import torch.nn as nn

torch.manual_seed(99)

nz = 8
hidden = 48
batch_size = 64
num_iters = 120
real_label, fake_label = 0.9, 0.0


def sample_ring(n, modes=8, std=0.05):
    k = torch.randint(0, modes, (n,)).float()
    centers = torch.stack([torch.cos(2 * math.pi * k / modes), torch.sin(2 * math.pi * k / modes)], dim=1)
    return centers + std * torch.randn(n, 2)


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(nz, hidden), nn.BatchNorm1d(hidden), nn.ReLU(True),
            nn.Linear(hidden, hidden), nn.BatchNorm1d(hidden), nn.ReLU(True),
            nn.Linear(hidden, 2),
        )

    def forward(self, z):
        return self.main(z)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(2, hidden), nn.LeakyReLU(0.2),
            nn.Linear(hidden, hidden), nn.LeakyReLU(0.2),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def weights_init(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_normal_(m.weight)
        nn.init.zeros_(m.bias)


netG, netD = Generator(), Discriminator()
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCEWithLogitsLoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.999))
fixed_noise = torch.randn(200, nz)


def update_D(real, fake):
    netD.zero_grad()
    out_real = netD(real)
    errD_real = criterion(out_real, torch.full((len(real),), real_label))
    out_fake = netD(fake.detach())
    errD_fake = criterion(out_fake, torch.full((len(fake),), fake_label))
    errD = errD_real + errD_fake
    errD.backward(retain_graph=True)  # <- culprit
    optimizerD.step()
    return errD.item(), out_real.sigmoid().mean().item(), out_fake.sigmoid().mean().item()


def update_G(fake):
    netG.zero_grad()
    output = netD(fake)
    errG = criterion(output, torch.full((len(fake),), 1.0))
    errG.backward()
    optimizerG.step()
    return errG.item(), output.sigmoid().mean().item()


G_losses, D_losses = [], []
for i in range(num_iters):
    real = sample_ring(batch_size)
    fake = netG(torch.randn(batch_size, nz))
    lossD, D_x, D_G_z1 = update_D(real, fake)
    lossG, D_G_z2 = update_G(fake)

    G_losses.append(lossG)
    D_losses.append(lossD)
    if i % 30 == 0:
        print('[%d/%d]\tLoss_D: %.4f\tLoss_G: %.4f\tD(x): %.4f\tD(G(z)): %.4f / %.4f'
              % (i, num_iters, lossD, lossG, D_x, D_G_z1, D_G_z2))

netG.eval()
with torch.no_grad():
    pts = netG(fixed_noise)
print("mean radius of the samples: %.3f" % pts.norm(dim=1).mean().item())
