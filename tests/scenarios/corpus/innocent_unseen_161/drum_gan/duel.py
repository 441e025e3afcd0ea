import torch
import torch.nn.functional as F
from torch import nn


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


class Duel:
    def __init__(self, latent, length, gp=2.0):
        self.latent, self.gp = latent, gp
        self.gen, self.disc = mlp(latent, 32, length), mlp(length, 32, 1)
        self.g_opt = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.disc.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.average = [p.detach().clone() for p in self.gen.parameters()]

    def penalty(self, real):
        real = real.clone().requires_grad_(True)
        grad, = torch.autograd.grad(self.disc(real).sum(), real, create_graph=True)
        return grad.pow(2).sum(1).mean()

    def step(self, real):
        fake = self.gen(torch.randn(len(real), self.latent))
        self.d_opt.zero_grad()
        d_loss = F.softplus(-self.disc(real)).mean() + F.softplus(self.disc(fake.detach())).mean()
        (d_loss + self.gp * self.penalty(real)).backward()
        self.d_opt.step()

        self.disc.requires_grad_(False)
        g_loss = F.softplus(-self.disc(fake)).mean()
        self.g_opt.zero_grad()
        g_loss.backward()
        self.g_opt.step()
        self.disc.requires_grad_(True)
        with torch.no_grad():
            for a, p in zip(self.average, self.gen.parameters()):
                a.lerp_(p, 0.01)
        return {"d": d_loss.item(), "g": g_loss.item()}
