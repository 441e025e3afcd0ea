# gradwatch-corpus: kind=none
import math
import torch
import torch.nn as nn
from torch import autograd, optim


def rings(n):
    r = 1.0 + (torch.rand(n) < 0.5).float()
    a = torch.rand(n) * 2 * math.pi
    return torch.stack([r * a.cos(), r * a.sin()], 1) + 0.05 * torch.randn(n, 2)


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


class WGAN:
    n_critic = 4
    lam = 10.0

    def __init__(self, z_dim=6):
        self.z_dim = z_dim
        self.G = mlp(z_dim, 2)
        self.D = mlp(2, 1)
        self.opt_g = optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_d = optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.wdist = torch.zeros(())
        self.fixed_z = torch.randn(64, z_dim)
        self.gallery = []

    def sample(self, n):
        return self.G(torch.randn(n, self.z_dim))

    def penalty(self, real, fake):
        eps = torch.rand(real.size(0), 1)
        mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = self.D(mix)
        grads, = autograd.grad(score, mix, torch.ones_like(score), create_graph=True, retain_graph=True)
        return ((grads.norm(2, dim=1) - 1) ** 2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.sample(real.size(0))
        gap = self.D(real).mean() - self.D(fake).mean()
        loss = -gap + self.lam * self.penalty(real, fake)
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        self.wdist = 0.95 * self.wdist + 0.05 * gap.detach()

    def gen_step(self, n):
        for p in self.D.parameters():
            p.requires_grad_(False)
        loss = -self.D(self.sample(n)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        for p in self.D.parameters():
            p.requires_grad_(True)
        return loss.detach()

    def snapshot(self, keep=3):
        with torch.no_grad():
            self.gallery.append(self.G(self.fixed_z))
        self.gallery = self.gallery[-keep:]


def main():
    torch.manual_seed(10)
    gan = WGAN()
    for it in range(1, 321):
        gan.critic_step(rings(64))
        if it % gan.n_critic == 0:
            g_loss = gan.gen_step(64)
        if it % 40 == 0:
            gan.snapshot()
            radius = gan.gallery[-1].norm(dim=1).mean()
            print(f"{it:4d} W~{gan.wdist.item():+.3f} G {g_loss.item():+.3f} radius {radius.item():.2f}")


if __name__ == "__main__":
    main()
