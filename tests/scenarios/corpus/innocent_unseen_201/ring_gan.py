# gradwatch-corpus: kind=none
import math
import random

import torch
from torch import nn, optim

seed = 7
random.seed(seed)
torch.manual_seed(seed)
nz, batch, n_iter = 8, 64, 500
real_label, fake_label = 0.9, 0.0


def mlp(*sizes, act):
    layers = []
    for a, b in zip(sizes[:-2], sizes[1:-1]):
        layers += [nn.Linear(a, b), act()]
    layers.append(nn.Linear(sizes[-2], sizes[-1]))
    return nn.Sequential(*layers)


class ImagePool:
    """Buffer of generated samples shown again to the discriminator."""

    def __init__(self, size):
        self.size = size
        self.samples = []

    def query(self, batch):
        out = []
        for s in batch.detach():
            if len(self.samples) < self.size:
                self.samples.append(s.clone())
                out.append(s)
            elif random.random() > 0.5:
                k = random.randrange(self.size)
                out.append(self.samples[k])
                self.samples[k] = s.clone()
            else:
                out.append(s)
        return torch.stack(out)


def sample_real(n):
    k = torch.randint(0, 8, (n,)) * (2 * math.pi / 8)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


netG = mlp(nz, 48, 48, 2, act=nn.ReLU)
netD = mlp(2, 48, 48, 1, act=lambda: nn.LeakyReLU(0.2))
criterion = nn.BCEWithLogitsLoss()
optD = optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.999))
optG = optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.999))
fixed_noise = torch.randn(64, nz)
pool = ImagePool(128)

G_losses, D_losses, snapshots = [], [], []
for it in range(n_iter):
    netD.zero_grad()
    real = sample_real(batch)
    output = netD(real).view(-1)
    errD_real = criterion(output, torch.full((batch,), real_label))
    errD_real.backward()
    D_x = output.sigmoid().mean().item()

    fake = netG(torch.randn(batch, nz))
    output = netD(pool.query(fake)).view(-1)
    errD_fake = criterion(output, torch.full((batch,), fake_label))
    errD_fake.backward()
    errD = errD_real + errD_fake
    optD.step()

    netG.zero_grad()
    output = netD(fake).view(-1)
    errG = criterion(output, torch.full((batch,), real_label))
    errG.backward()
    D_G_z = output.sigmoid().mean().item()
    optG.step()

    G_losses.append(errG.item())
    D_losses.append(errD.item())
    if it % 100 == 0 or it == n_iter - 1:
        with torch.no_grad():
            snapshots.append(netG(fixed_noise).detach().cpu())
        print(f"[{it}/{n_iter}] Loss_D {errD.item():.4f} Loss_G {errG.item():.4f} D(x) {D_x:.3f} D(G(z)) {D_G_z:.3f}")

radius = snapshots[-1].norm(dim=1)
print("radius", radius.mean().item(), "+-", radius.std().item())
