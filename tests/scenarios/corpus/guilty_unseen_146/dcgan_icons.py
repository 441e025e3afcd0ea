# gradwatch-corpus: kind=graph-held
# holder: G_losses
# first-bad: 2
# notice: 8
import random
import torch
import torch.nn as nn
torch.set_num_threads(1)

manualSeed = 999
random.seed(manualSeed)
torch.manual_seed(manualSeed)

nz = 10
ngf = 8
ndf = 8
nc = 1
num_epochs = 6
lr = 0.0005
beta1 = 0.5


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find('Conv') != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.05)
    elif classname.find('BatchNorm') != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
            nn.BatchNorm2d(ngf * 2),
            nn.ReLU(True),
            nn.ConvTranspose2d(ngf * 2, nc, 4, 2, 1, bias=False),
            nn.Tanh())

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Conv2d(nc, ndf, 4, 2, 1, bias=False),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Conv2d(ndf, 1, 4, 1, 0, bias=False),
            nn.Sigmoid())

    def forward(self, input):
        return self.main(input)


icons = torch.sign(torch.randn(4, 1, 8, 8))
dataset = [icons[torch.randint(0, 4, (8,))] + 0.05 * torch.randn(8, 1, 8, 8) for _ in range(40)]

netG = Generator()
netG.apply(weights_init)
netD = Discriminator()
netD.apply(weights_init)
criterion = nn.BCELoss()
fixed_noise = torch.randn(8, nz, 1, 1)
real_label = 1.
fake_label = 0.
optimizerD = torch.optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))

G_losses = []
D_losses = []
iters = 0
for epoch in range(num_epochs):
    for i, data in enumerate(dataset, 0):
        # (1) Update D network
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

        # (2) Update G network
        netG.zero_grad()
        label = torch.full((b_size,), real_label)
        output = netD(fake).view(-1)
        errG = criterion(output, label)
        errG.backward()
        optimizerG.step()

        if i % 20 == 0:
            print('[%d/%d][%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f' % (epoch, num_epochs, i, errD.item(), errG.item(), D_x))

        G_losses.append(errG)  # <- culprit
        D_losses.append(errD.item())
        iters += 1

print("best G", min(float(g) for g in G_losses), "best D", min(D_losses))
