# gradwatch-corpus: kind=none
"""WGAN-GP on eight gaussians, n_critic = 3."""
import math

import torch
import torch.nn as nn
from torch import autograd

torch.set_num_threads(1)
torch.manual_seed(9)

LAMBDA, N_CRITIC, B = 1.0, 3, 48


def ring(n):
    k = torch.randint(0, 8, (n,)) * (2 * math.pi / 8)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, o))


def gradient_penalty(D, real, fake):
    eps = torch.rand(len(real), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = D(mix)
    g = autograd.grad(out, mix, torch.ones_like(out), create_graph=True, retain_graph=True, only_inputs=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


G, D = mlp(4, 2), mlp(2, 1)
g_opt = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
d_opt = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
D_losses, G_losses = [], []
fixed = torch.randn(64, 4)

for it in range(60):
    for p in D.parameters():
        p.requires_grad_(True)
    for _ in range(N_CRITIC):
        real = ring(B)
        with torch.no_grad():
            fake = G(torch.randn(B, 4))
        d_opt.zero_grad()
        wdist = D(real).mean() - D(fake).mean()
        d_loss = -wdist + LAMBDA * gradient_penalty(D, real, fake)
        d_loss.backward()
        d_opt.step()
    for p in D.parameters():
        p.requires_grad_(False)
    g_opt.zero_grad()
    g_loss = -D(G(torch.randn(B, 4))).mean()
    g_loss.backward()
    g_opt.step()
    D_losses.append(d_loss.item())
    G_losses.append(g_loss.item())
    if it % 20 == 0:
        with torch.no_grad():
            print(it, "W %.3f" % wdist.item(), "radius %.3f" % G(fixed).norm(dim=1).mean().item())
print("D", D_losses[-1], "G", G_losses[-1])
