# gradwatch-corpus: kind=none
# about: a GAN as in the official example: two optimizers, two backwards for the discriminator,
# about: the fake batch detached for it and used whole for the generator
import torch
import torch.nn as nn
from parts.pace import ITERATIONS

NZ = 8


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


def ring(n):
    angle = torch.randint(0, 8, (n,)) * (torch.pi / 4)
    return torch.stack([angle.cos(), angle.sin()], 1) + 0.05 * torch.randn(n, 2)


def main():
    torch.manual_seed(0)
    netG, netD = mlp(NZ, 32, 32, 2), mlp(2, 32, 32, 1)
    criterion = nn.BCEWithLogitsLoss()
    optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    D_losses, G_losses = [], []
    for i in range(ITERATIONS):
        netD.zero_grad()
        real = ring(32)
        errD_real = criterion(netD(real), torch.ones(32, 1))
        errD_real.backward()
        fake = netG(torch.randn(32, NZ))
        errD_fake = criterion(netD(fake.detach()), torch.zeros(32, 1))
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        netG.zero_grad()
        errG = criterion(netD(fake), torch.ones(32, 1))
        errG.backward()
        optimizerG.step()

        D_losses.append(errD.item())
        G_losses.append(errG.item())
        if i % 50 == 0:
            print(f"[{i}/{ITERATIONS}] D {errD.item():.6f} G {errG.item():.6f}")
    print(f"{len(D_losses)} losses, last {D_losses[-1]:.6f} {G_losses[-1]:.6f}")


if __name__ == "__main__":
    main()
