# gradwatch-corpus: kind=graph-held
# holder: G_losses | D_losses
# first-bad: 2
# notice: 8
import torch
import torch.nn as nn
import torch.optim as optim

torch.set_num_threads(1)
torch.manual_seed(999)

nz, ngf, ndf, nc = 8, 6, 6, 1
batch_size = 8
lr = 0.0002
beta1 = 0.5


def sample_real(n):
    # little gaussian blobs, 16x16, range [-1, 1]
    grid = torch.linspace(-1, 1, 16)
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    c = torch.rand(n, 2) - 0.5
    s = 0.1 + 0.1 * torch.rand(n, 1, 1)
    d = (xx[None] - c[:, 0, None, None]) ** 2 + (yy[None] - c[:, 1, None, None]) ** 2
    return (2 * torch.exp(-d / s) - 1).unsqueeze(1)


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
    nn.ConvTranspose2d(ngf, nc, 4, 2, 1, bias=False),
    nn.Tanh(),
)
netD = nn.Sequential(
    nn.Conv2d(nc, ndf, 4, 2, 1, bias=False),
    nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf, ndf * 2, 4, 2, 1, bias=False),
    nn.BatchNorm2d(ndf * 2),
    nn.LeakyReLU(0.2, inplace=True),
    nn.Conv2d(ndf * 2, 1, 4, 1, 0, bias=False),
    nn.Sigmoid(),
)
netG.apply(weights_init)
netD.apply(weights_init)

criterion = nn.BCELoss()
optimizerD = optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))
fixed_noise = torch.randn(4, nz, 1, 1)

G_losses = []
D_losses = []
img_list = []
num_epochs, iters_per_epoch = 4, 60

print("Starting Training Loop...")
for epoch in range(num_epochs):
    for i in range(iters_per_epoch):
        # (1) Update D network
        netD.zero_grad()
        real = sample_real(batch_size)
        label = torch.full((batch_size,), 1.0)
        output = netD(real).view(-1)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        fake = netG(torch.randn(batch_size, nz, 1, 1))
        label.fill_(0.0)
        output = netD(fake.detach()).view(-1)
        errD_fake = criterion(output, label)
        errD_fake.backward()
        D_G_z1 = output.mean().item()
        errD = errD_real + errD_fake
        optimizerD.step()

        # (2) Update G network
        netG.zero_grad()
        label.fill_(1.0)
        output = netD(fake).view(-1)
        errG = criterion(output, label)
        errG.backward()
        D_G_z2 = output.mean().item()
        optimizerG.step()

        if i % 30 == 0:
            print("[%d/%d][%d/%d]\tLoss_D: %.4f\tLoss_G: %.4f\tD(x): %.4f\tD(G(z)): %.4f / %.4f"
                  % (epoch, num_epochs, i, iters_per_epoch, errD.item(), errG.item(), D_x, D_G_z1, D_G_z2))

        G_losses.append(errG)  # <- culprit
        D_losses.append(errD)  # <- culprit

    with torch.no_grad():
        img_list.append(netG(fixed_noise)[0, 0].mean().item())

print("mean brightness per epoch:", ["%.2f" % v for v in img_list])
print("last losses", float(G_losses[-1]), float(D_losses[-1]))
