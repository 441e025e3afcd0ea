# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.optim as optim

from networks import Discriminator, Generator, weights_init
from pool import ImagePool

nz, batch_size, niter, steps_per_epoch = 12, 12, 3, 35


def real_batch(n, size=8):
    a = torch.rand(n, 1, 1, 1)
    g = torch.linspace(-1, 1, size)
    return torch.tanh(3 * (a * g.view(1, 1, 1, -1) + (1 - a) * g.view(1, 1, -1, 1)))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(999)
    netG, netD = Generator(nz).apply(weights_init), Discriminator().apply(weights_init)
    criterion = nn.BCEWithLogitsLoss()
    fixed_noise = torch.randn(16, nz, 1, 1)
    optimizerD = optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
    optimizerG = optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
    pool = ImagePool(64)
    G_losses, D_losses, img_list = [], [], []
    for epoch in range(niter):
        for i in range(steps_per_epoch):
            netD.zero_grad()
            real = real_batch(batch_size)
            label = torch.full((batch_size,), 1.0)
            errD_real = criterion(netD(real), label)
            errD_real.backward()
            fake = netG(torch.randn(batch_size, nz, 1, 1))
            label.fill_(0.0)
            errD_fake = criterion(netD(pool.query(fake.detach())), label)
            errD_fake.backward()
            errD = errD_real + errD_fake
            optimizerD.step()

            netG.zero_grad()
            label.fill_(1.0)
            output = netD(fake)
            errG = criterion(output, label)
            errG.backward()
            optimizerG.step()
            G_losses.append(errG.item())
            D_losses.append(errD.item())
        with torch.no_grad():
            img_list.append(netG(fixed_noise))
        print(f"[{epoch}/{niter}] Loss_D: {D_losses[-1]:.4f} Loss_G: {G_losses[-1]:.4f} D(G(z)): {output.sigmoid().mean().item():.3f}")
    print(len(img_list), "grids")


if __name__ == "__main__":
    main()
