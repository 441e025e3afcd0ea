# gradwatch-corpus: kind=second-backward
# first-bad: 0
import torch
import torch.nn as nn

torch.manual_seed(999)

# Number of training iterations, batch size, latent size
num_iters = 500
batch_size = 64
nz = 8
lr = 2e-4
beta1 = 0.5


def real_batch(n):
    theta = torch.rand(n, 1) * 6.2832
    r = 1.0 + 0.05 * torch.randn(n, 1)
    return torch.cat([r * theta.cos(), r * theta.sin()], dim=1)


class Generator(nn.Module):
    def __init__(self):
        super(Generator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(nz, 64),
            nn.ReLU(True),
            nn.Linear(64, 64),
            nn.ReLU(True),
            nn.Linear(64, 2),
        )

    def forward(self, input):
        return self.main(input)


class Discriminator(nn.Module):
    def __init__(self):
        super(Discriminator, self).__init__()
        self.main = nn.Sequential(
            nn.Linear(2, 64),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(64, 64),
            nn.LeakyReLU(0.2, inplace=True),
            nn.Linear(64, 1),
            nn.Sigmoid(),
        )

    def forward(self, input):
        return self.main(input)


netG = Generator()
netD = Discriminator()
criterion = nn.BCELoss()
fixed_noise = torch.randn(64, nz)
optimizerD = torch.optim.Adam(netD.parameters(), lr=lr, betas=(beta1, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=lr, betas=(beta1, 0.999))

G_losses, D_losses = [], []
real_label = torch.ones(batch_size, 1)
fake_label = torch.zeros(batch_size, 1)

print("Starting Training Loop...")
for it in range(num_iters):
    ############################
    # (1) Update D network: maximize log(D(x)) + log(1 - D(G(z)))
    ###########################
    netD.zero_grad()
    real = real_batch(batch_size)
    output = netD(real)
    errD_real = criterion(output, real_label)
    errD_real.backward()
    D_x = output.mean().item()

    noise = torch.randn(batch_size, nz)
    fake = netG(noise)
    output = netD(fake)  # <- culprit
    errD_fake = criterion(output, fake_label)
    errD_fake.backward()
    D_G_z1 = output.mean().item()
    errD = errD_real.item() + errD_fake.item()
    optimizerD.step()

    ############################
    # (2) Update G network: maximize log(D(G(z)))
    ###########################
    netG.zero_grad()
    output = netD(fake)
    errG = criterion(output, real_label)
    errG.backward()
    D_G_z2 = output.mean().item()
    optimizerG.step()

    G_losses.append(errG.item())
    D_losses.append(errD)
    if it % 50 == 0:
        print("[%d/%d] Loss_D: %.4f Loss_G: %.4f D(x): %.4f D(G(z)): %.4f / %.4f"
              % (it, num_iters, errD, errG.item(), D_x, D_G_z1, D_G_z2))

with torch.no_grad():
    print("radius of samples:", netG(fixed_noise).norm(dim=1).mean().item())
