# gradwatch-corpus: kind=none
# %% [markdown]
# GAN on 2-D pen strokes, HCI lab, exported notebook
# %%
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(46)

# %%
def strokes(n):
    a = torch.rand(n) * 6.28
    r = 1 + 0.1 * torch.randn(n)
    return torch.stack([r * a.cos(), 0.5 * r * a.sin(), a.cos() * a.sin()], 1)


netG = nn.Sequential(nn.Linear(4, 20), nn.ReLU(True), nn.Linear(20, 3))
netD = nn.Sequential(nn.Linear(3, 20), nn.LeakyReLU(0.2, inplace=True), nn.Linear(20, 1), nn.Sigmoid())
criterion = nn.BCELoss()
fixed_noise = torch.randn(32, 4)
optimizerD = torch.optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.999))

# %%
img_list, G_losses, D_losses = [], [], []
for iters in range(1500):
    netD.zero_grad()
    real = strokes(16)
    label = torch.ones(16)
    output = netD(real).view(-1)
    errD_real = criterion(output, label)
    errD_real.backward()
    fake = netG(torch.randn(16, 4))
    label.fill_(0.0)
    output = netD(fake.detach()).view(-1)
    errD_fake = criterion(output, label)
    errD_fake.backward()
    errD = errD_real + errD_fake
    optimizerD.step()

    netG.zero_grad()
    label = torch.ones(16)
    output = netD(fake).view(-1)
    errG = criterion(output, label)
    errG.backward()
    optimizerG.step()

    G_losses.append(errG.item())
    D_losses.append(errD.item())
    if iters % 250 == 0:
        with torch.no_grad():
            img_list.append(netG(fixed_noise).detach())
        print(f"[{iters}] Loss_D: {errD.item():.4f} Loss_G: {errG.item():.4f}")
