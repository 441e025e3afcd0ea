# gradwatch-corpus: kind=none
"""WGAN-GP on the ring of 8 gaussians, 3 critic updates per generator update."""
import math

import torch
import torch.nn as nn
from torch import autograd

torch.set_num_threads(1)
torch.manual_seed(1)

DIM, BATCH, LAMBDA, CRITIC_ITERS, ITERATIONS = 32, 32, 0.1, 3, 500


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(2, DIM), nn.ReLU(True), nn.Linear(DIM, DIM), nn.ReLU(True), nn.Linear(DIM, 2))

    def forward(self, noise):
        return self.main(noise)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(2, DIM), nn.Softplus(), nn.Linear(DIM, DIM), nn.Softplus(), nn.Linear(DIM, 1))

    def forward(self, x):
        return self.main(x).view(-1)


def inf_train_gen():
    angles = torch.arange(8) * math.pi / 4
    centers = 1.4 * torch.stack([angles.cos(), angles.sin()], 1)
    while True:
        yield centers[torch.randint(0, 8, (BATCH,))] + 0.05 * torch.randn(BATCH, 2)


def calc_gradient_penalty(netD, real, fake):
    alpha = torch.rand(BATCH, 1)
    inter = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    out = netD(inter)
    grads = autograd.grad(outputs=out, inputs=inter, grad_outputs=torch.ones_like(out),
                          create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


netG, netD = Generator(), Discriminator()
optD = torch.optim.Adam(netD.parameters(), lr=1e-3, betas=(0.5, 0.9))
optG = torch.optim.Adam(netG.parameters(), lr=1e-3, betas=(0.5, 0.9))
one = torch.tensor(1.0)
mone = one * -1
data = inf_train_gen()
wasserstein, penalties = [], []

for iteration in range(ITERATIONS):
    for p in netD.parameters():
        p.requires_grad_(True)
    for _ in range(CRITIC_ITERS):
        real = next(data)
        netD.zero_grad()
        D_real = netD(real).mean()
        D_real.backward(mone)
        with torch.no_grad():
            fake = netG(torch.randn(BATCH, 2))
        D_fake = netD(fake).mean()
        D_fake.backward(one)
        gp = calc_gradient_penalty(netD, real, fake)
        gp.backward()
        D_cost = D_fake - D_real + gp
        optD.step()
    wasserstein.append((D_real - D_fake).item())
    penalties.append(gp.detach())

    for p in netD.parameters():
        p.requires_grad_(False)
    netG.zero_grad()
    G = netD(netG(torch.randn(BATCH, 2))).mean()
    G.backward(mone)
    optG.step()

    if iteration % 100 == 99:
        print(f"{iteration + 1} W {sum(wasserstein[-100:]) / 100:.3f} gp {torch.stack(penalties[-100:]).mean():.4f} "
              f"G {G.item():.3f} D {D_cost.item():.3f}")
