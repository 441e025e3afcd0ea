# gradwatch-corpus: kind=retain-needless
# first-bad: 0
#!/usr/bin/env python
# coding: utf-8
"""WGAN-GP on eight gaussians -- notebook from the reading group, converted with nbconvert"""

# %%
import math

import torch
from torch import nn, autograd

torch.manual_seed(0)
BATCH, Z, LAMBDA, N_CRITIC = 128, 4, 1.0, 3

# %%
centers = torch.tensor([[2 * math.cos(k * math.pi / 4), 2 * math.sin(k * math.pi / 4)] for k in range(8)])


def sample_real(n):
    return centers[torch.randint(8, (n,))] + 0.1 * torch.randn(n, 2)


# %%
def make(i, o, h=96):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


netG, netD = make(Z, 2), make(2, 1)
optG = torch.optim.Adam(netG.parameters(), lr=3e-4, betas=(0.5, 0.9))
optD = torch.optim.Adam(netD.parameters(), lr=3e-4, betas=(0.5, 0.9))


# %%
def gradient_penalty(real, fake):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = netD(mid)
    g, = autograd.grad(out, mid, grad_outputs=torch.ones_like(out), create_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


# %%
wdist, gps = [], []
for step in range(360):
    real = sample_real(BATCH)
    with torch.no_grad():
        fake = netG(torch.randn(BATCH, Z))

    critic_real = netD(real).mean()
    critic_fake = netD(fake).mean()
    gp = gradient_penalty(real, fake)
    errD = critic_fake - critic_real + LAMBDA * gp
    optD.zero_grad()
    errD.backward(retain_graph=True)  # <- culprit
    optD.step()
    wdist.append((critic_real - critic_fake).item())
    gps.append(gp.item())

    if step % N_CRITIC == N_CRITIC - 1:
        optG.zero_grad()
        errG = -netD(netG(torch.randn(BATCH, Z))).mean()
        errG.backward()
        optG.step()

    if step % 60 == 0:
        print(f"[{step}/360] W {wdist[-1]:.4f} gp {gps[-1]:.4f}")

# %%
with torch.no_grad():
    pts = netG(torch.randn(1000, Z))
    near = torch.cdist(pts, centers).argmin(1).bincount(minlength=8)
print("modes hit:", (near > 20).sum().item(), "of 8", near.tolist())
