# gradwatch-corpus: kind=none
"""WGAN-GP on a spiral."""
from collections import deque

import torch
import torch.nn as nn


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def spiral(n):
    t = torch.rand(n) * 9
    xy = torch.stack([t * t.cos(), t * t.sin()], dim=1) / 4
    return xy + 0.03 * torch.randn(n, 2)


class WGAN:
    def __init__(self, z=6, gp=5.0, n_critic=3):
        self.z = z
        self.gp = gp
        self.n_critic = n_critic
        self.G = mlp(z, 2)
        self.D = mlp(2, 1)
        self.g_opt = torch.optim.Adam(self.G.parameters(), lr=5e-4, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.D.parameters(), lr=5e-4, betas=(0.5, 0.9))
        self.snapshots = deque(maxlen=5)
        self.hist = {"d": [], "g": [], "gp": []}

    def penalty(self, real, fake):
        eps = torch.rand(real.size(0), 1)
        mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = self.D(mid)
        grad, = torch.autograd.grad(score.sum(), mid, create_graph=True)
        return (grad.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.G(torch.randn(real.size(0), self.z))
        gp = self.penalty(real, fake)
        d_loss = self.D(fake).mean() - self.D(real).mean() + self.gp * gp
        self.d_opt.zero_grad()
        d_loss.backward()
        self.d_opt.step()
        self.hist["d"].append(d_loss.item())
        self.hist["gp"].append(gp.detach())

    def gen_step(self, n):
        fake = self.G(torch.randn(n, self.z))
        g_loss = -self.D(fake).mean()
        self.g_opt.zero_grad()
        g_loss.backward()
        self.g_opt.step()
        self.hist["g"].append(g_loss.item())
        self.snapshots.append(fake.detach())

    def fit(self, iters, n=64):
        for it in range(iters):
            for _ in range(self.n_critic):
                self.critic_step(spiral(n))
            self.gen_step(n)
            if it % 20 == 19:
                spread = torch.cat(list(self.snapshots)).std().item()
                print(it + 1, self.hist["d"][-1], self.hist["g"][-1], spread)


torch.manual_seed(12)
WGAN().fit(80)
