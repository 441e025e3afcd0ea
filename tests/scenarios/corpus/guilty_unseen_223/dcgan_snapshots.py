# gradwatch-corpus: kind=graph-held
# holder: img_list
# first-bad: 1
# DCGAN tutorial style, on synthetic 16x16 crosses
import torch
import torch.nn as nn
import torch.optim as optim

manualSeed = 999
torch.manual_seed(manualSeed)

nz = 16
ngf = 8
ndf = 8
batch_size = 16
beta1 = 0.5
lr = 0.0002
num_iters = 90


def weights_init(m):
    classname = m.__class__.__name__
    if classname.find("Conv") != -1:
        nn.init.normal_(m.weight.data, 0.0, 0.02)
    elif classname.find("BatchNorm") != -1:
        nn.init.normal_(m.weight.data, 1.0, 0.02)
        nn.init.constant_(m.bias.data, 0)


netG = nn.Sequential(
    nn.ConvTranspose2d(nz, ngf * 2, 4, 1, 0, bias=False),
    nn.BatchNorm2d(ngf * 2),
    nn.ReLU(True),
    nn.ConvTranspose2d(ngf * 2, ngf, 4, 2, 1, bias=False),
    nn.BatchNorm2d(ngf),
    nn.ReLU(True),
    nn.ConvTranspose2d(ngf, 1, 4, 2, 1, bias=False),
    nn.Tanh(),
)
netD = nn.Sequential(
    nn.Conv2d(1, ndf, 4, 2, 1, bias=False),
    nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
    nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False),
    nn.Flatten(0),
)
netG.apply(weights_init)
netD.apply(weights_init)


def real_batch():
    img = -torch.ones(batch_size, 1, 16, 16)
    row = torch.randint(2, 14, (batch_size,))
    col = torch.randint(2, 14, (batch_size,))
    for b in range(batch_size):
        img[b, 0, row[b], :] = 1
        img[b, 0, :, col[b]] = 1
    return img


criterion = nn.BCEWithLogitsLoss()
fixed_noise = torch.randn(8, nz, 1, 1)
optimizerD = optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))

img_list = []
G_losses = []
D_losses = []

for i in range(num_iters):
    netD.zero_grad()
    real = real_batch()
    output = netD(real)
    errD_real = criterion(output, torch.ones_like(output))
    errD_real.backward()
    noise = torch.randn(batch_size, nz, 1, 1)
    fake = netG(noise)
    output = netD(fake.detach())
    errD_fake = criterion(output, torch.zeros_like(output))
    errD_fake.backward()
    optimizerD.step()

    netG.zero_grad()
    output = netD(fake)
    errG = criterion(output, torch.ones_like(output))
    errG.backward()
    optimizerG.step()

    G_losses.append(errG.item())
    D_losses.append(errD_real.item() + errD_fake.item())

    sample = netG(fixed_noise)  # <- culprit
    img_list.append(sample.cpu())  # <- culprit

    if i % 30 == 0:
        print("[%d/%d] Loss_D: %.4f Loss_G: %.4f" % (i, num_iters, D_losses[-1], G_losses[-1]))

strip = torch.cat([frame[:1] for frame in img_list[::10]], dim=-1)
print(tuple(strip.shape))
