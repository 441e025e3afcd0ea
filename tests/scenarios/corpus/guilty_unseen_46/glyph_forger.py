# gradwatch-corpus: kind=memory-climb
# holder: img_list
# first-bad: 2
# notice: 100
# DCGAN (Nathan Inkawhich's tutorial) on 16x16 glyphs instead of celebrities.
import random

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset

manualSeed = 999
random.seed(manualSeed)
torch.manual_seed(manualSeed)

batch_size = 16
image_size = 16
nz = 16
ngf = 8
ndf = 8
num_epochs = 2
lr = 0.0002
beta1 = 0.5
n_show = 448


def make_glyphs(n):
    imgs = torch.full((n, 1, image_size, image_size), -1.0)
    for k in range(n):
        r, c = random.randint(2, 13), random.randint(2, 13)
        imgs[k, 0, r - 1:r + 1, 2:14] = 1.0
        imgs[k, 0, 2:14, c - 1:c + 1] = 1.0
    return imgs


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False), nn.BatchNorm2d(ngf * 2), nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False), nn.BatchNorm2d(ngf), nn.ReLU(True),
    nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False), nn.Tanh())
netD = nn.Sequential(
    nn.Conv2d(1, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(ndf * 2), nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False), nn.Flatten(0))
netG.apply(weights_init)
netD.apply(weights_init)

dataloader = DataLoader(TensorDataset(make_glyphs(1280)), batch_size=batch_size, shuffle=True)
criterion = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(n_show, nz, 1, 1)
real_label, fake_label = 1., 0.
optimizerD = optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))

img_list = []
G_losses = []
D_losses = []
iters = 0

print("Starting Training Loop...")
for epoch in range(num_epochs):
    for i, (real,) in enumerate(dataloader, 0):
        netD.zero_grad()
        b_size = real.size(0)
        label = torch.full((b_size,), real_label)
        errD_real = criterion(netD(real), label)
        errD_real.backward()
        noise = torch.randn(b_size, nz, 1, 1)
        fake = netG(noise)
        label.fill_(fake_label)
        errD_fake = criterion(netD(fake.detach()), label)
        errD_fake.backward()
        errD = errD_real.item() + errD_fake.item()
        optimizerD.step()

        netG.zero_grad()
        label.fill_(real_label)
        errG = criterion(netD(fake), label)
        errG.backward()
        optimizerG.step()

        if i % 16 == 0:
            print("[%d/%d][%d/%d]\tLoss_D: %.4f\tLoss_G: %.4f"
                  % (epoch, num_epochs, i, len(dataloader), errD, errG.item()))
        G_losses.append(errG.item())
        D_losses.append(errD)
        # see how the generator is doing
        with torch.no_grad():
            fake = netG(fixed_noise).detach().cpu()
        img_list.append(fake)  # <- culprit
        iters += 1

print("frames for the animation:", len(img_list))
print("mean ink first %.3f last %.3f" % (img_list[0].mean().item(), img_list[-1].mean().item()))
