# gradwatch-corpus: kind=none
"""WGAN-GP on a ring of Gaussians, with an EMA copy of the generator."""
import copy
import math

import torch
from torch import nn, autograd


class Ring:
    def __init__(self, modes=6, radius=1.5, std=0.08):
        ang = torch.arange(modes) * (2 * math.pi / modes)
        self.centres = radius * torch.stack([ang.cos(), ang.sin()], 1)
        self.std = std

    def __call__(self, n):
        pick = torch.randint(len(self.centres), (n,))
        return self.centres[pick] + self.std * torch.randn(n, 2)


def mlp(i, o, h=24):
    return nn.Sequential(nn.Linear(i, h), nn.SiLU(), nn.Linear(h, h), nn.Softplus(), nn.Linear(h, o))


class WGAN:
    def __init__(self, z_dim=4, gp=5.0, n_critic=1):
        self.z_dim, self.gp, self.n_critic = z_dim, gp, n_critic
        self.G, self.D = mlp(z_dim, 2), mlp(2, 1)
        self.G_avg = copy.deepcopy(self.G).requires_grad_(False)
        self.g_opt = torch.optim.Adam(self.G.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.D.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.penalties = []

    def fake(self, n):
        return self.G(torch.randn(n, self.z_dim))

    def penalty(self, real, fake):
        mix = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
        grad, = autograd.grad(self.D(mix).sum(), mix, create_graph=True)
        gp = (grad.norm(dim=1) - 1).pow(2).mean()
        self.penalties.append(gp.detach())
        return self.gp * gp

    def critic_step(self, real):
        fake = self.fake(len(real)).detach()
        gap = self.D(fake).mean() - self.D(real).mean()
        loss = gap + self.penalty(real, fake)
        self.d_opt.zero_grad()
        loss.backward()
        self.d_opt.step()
        return -gap.item()

    def generator_step(self, n):
        loss = -self.D(self.fake(n)).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        with torch.no_grad():
            for avg, cur in zip(self.G_avg.parameters(), self.G.parameters()):
                avg.lerp_(cur, 0.02)
        return loss.item()


def main(n_iter=300, batch=32):
    torch.set_num_threads(1)
    torch.manual_seed(23)
    ring, gan = Ring(), WGAN()
    for it in range(n_iter):
        for _ in range(gan.n_critic):
            w = gan.critic_step(ring(batch))
        g = gan.generator_step(batch)
        if it % 64 == 0:
            sample = gan.G_avg(torch.randn(200, gan.z_dim))
            near = torch.cdist(sample, ring.centres).amin(1).mean()
            print(f"it {it:3d} W {w:+.3f} G {g:+.3f} gp {gan.penalties[-1]:.3f} dist {near:.3f}")


if __name__ == "__main__":
    main()
