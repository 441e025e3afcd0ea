# gradwatch-corpus: kind=none
# DCGAN tutorial shrunk to 8x8 stripes.
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from models import Discriminator, Generator, stripes, weights_init

torch.set_num_threads(1)
torch.manual_seed(999)

nz, bs, num_epochs = 8, 32, 10
dataloader = DataLoader(stripes(256), batch_size=bs, shuffle=True)
netG, netD = Generator(nz), Discriminator()
netG.apply(weights_init)
netD.apply(weights_init)
criterion = nn.BCELoss()
fixed_noise = torch.randn(16, nz, 1, 1)
real_label, fake_label = 1.0, 0.0
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))

img_list, G_losses, D_losses, iters = [], [], [], 0
for epoch in range(num_epochs):
    for i, data in enumerate(dataloader, 0):
        netD.zero_grad()
        b_size = data.size(0)
        label = torch.full((b_size,), real_label)
        output = netD(data).view(-1)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        noise = torch.randn(b_size, nz, 1, 1)
        fake = netG(noise)
        label.fill_(fake_label)
        output = netD(fake.detach()).view(-1)
        errD_fake = criterion(output, label)
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        netG.zero_grad()
        label.fill_(real_label)
        output = netD(fake).view(-1)
        errG = criterion(output, label)
        errG.backward()
        D_G_z2 = output.mean().item()
        optimizerG.step()

        G_losses.append(errG.item())
        D_losses.append(errD.item())
        if iters % 20 == 0:
            with torch.no_grad():
                img_list.append(netG(fixed_noise).detach().cpu())
        iters += 1
    if epoch % 3 == 0:
        print("[%d/%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f"
              % (epoch, num_epochs, errD.item(), errG.item(), D_x, D_G_z2))
