# gradwatch-corpus: kind=graph-held
# holder: img_list
# first-bad: 1
# DCGAN on small synthetic glyphs (rings, bars, crosses), adapted from the DCGAN faces tutorial
import random

import torch
import torch.nn as nn
import torch.optim as optim

manualSeed = 999
print("Random Seed: ", manualSeed)
random.seed(manualSeed)
torch.manual_seed(manualSeed)
torch.set_num_threads(1)

batch_size = 24
image_size = 16
nz = 20
ngf = 16
ndf = 12
num_iters = 150
lr = 0.0004
beta1 = 0.5


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ngf),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False),
            nn.Tanh(),
        )

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Conv2d(1, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
            nn.BatchNorm2d(ndf * 2),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False),
        )

    def forward(self, input):
        return self.main(input).view(-1)


def real_batch(n):
    coords = torch.linspace(-1, 1, image_size)
    yy, xx = torch.meshgrid(coords, coords, indexing="ij")
    out = torch.full((n, 1, image_size, image_size), -1.0)
    for k in range(n):
        kind = random.choice(["ring", "bar", "cross"])
        if kind == "ring":
            r = (xx ** 2 + yy ** 2).sqrt()
            out[k, 0][(r - random.uniform(0.4, 0.8)).abs() < 0.15] = 1.0
        elif kind == "bar":
            out[k, 0][(xx - random.uniform(-0.5, 0.5)).abs() < 0.2] = 1.0
        else:
            out[k, 0][(xx.abs() < 0.15) | (yy.abs() < 0.15)] = 1.0
    return out


netG = Generator()
netG.apply(weights_init)
netD = Discriminator()
netD.apply(weights_init)

criterion = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(32, nz, 1, 1)
real_label = 0.9
fake_label = 0.0
optimizerD = optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))

img_list = []
G_losses = []
D_losses = []

print("Starting Training Loop...")
for iters in range(num_iters):
    # (1) Update D: maximize log(D(x)) + log(1 - D(G(z)))
    netD.zero_grad()
    real = real_batch(batch_size)
    label = torch.full((batch_size,), real_label)
    output = netD(real)
    errD_real = criterion(output, label)
    errD_real.backward()
    D_x = torch.sigmoid(output).mean().item()

    noise = torch.randn(batch_size, nz, 1, 1)
    fake = netG(noise)
    label.fill_(fake_label)
    output = netD(fake.detach())
    errD_fake = criterion(output, label)
    errD_fake.backward()
    errD = errD_real + errD_fake
    optimizerD.step()

    # (2) Update G: maximize log(D(G(z)))
    netG.zero_grad()
    label.fill_(real_label)
    output = netD(fake)
    errG = criterion(output, label)
    errG.backward()
    D_G_z2 = torch.sigmoid(output).mean().item()
    optimizerG.step()

    G_losses.append(errG.item())
    D_losses.append(errD.item())

    if iters % 30 == 0:
        print("[%d/%d]\tLoss_D: %.4f\tLoss_G: %.4f\tD(x): %.4f\tD(G(z)): %.4f" % (
            iters, num_iters, errD.item(), errG.item(), D_x, D_G_z2))

    # Check how the generator is doing by saving G's output on fixed_noise
    if iters % 5 == 0 or iters == num_iters - 1:
        samples = netG(fixed_noise)  # <- culprit
        img_list.append(samples)  # <- culprit

first = img_list[0].mean().item()
last = img_list[-1].mean().item()
print("snapshots: %d  mean pixel %.3f -> %.3f" % (len(img_list), first, last))
