# gradwatch-corpus: kind=none
import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn


@dataclass
class GANState:
    step: int = 0
    w_dist: list = field(default_factory=list)
    gp: list = field(default_factory=list)
    g_loss: list = field(default_factory=list)
    last_fake: torch.Tensor = None


def rings(n):
    theta = 2 * math.pi * torch.rand(n)
    r = 1.0 + torch.randint(0, 2, (n,)).float() + 0.05 * torch.randn(n)
    return torch.stack([r * theta.cos(), r * theta.sin()], 1)


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, o))


class WGAN:
    def __init__(self, z=4, lam=5.0, n_critic=2):
        self.z, self.lam, self.n_critic = z, lam, n_critic
        self.G, self.D = mlp(z, 48, 2), mlp(2, 48, 1)
        self.opt_g = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_d = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.state = GANState()

    def penalty(self, real, fake):
        a = torch.rand(len(real), 1)
        mix = (a * real + (1 - a) * fake).requires_grad_()
        grad, = torch.autograd.grad(self.D(mix).sum(), mix, create_graph=True)
        return (grad.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.G(torch.randn(len(real), self.z))
        w = self.D(real).mean() - self.D(fake).mean()
        gp = self.penalty(real, fake)
        self.opt_d.zero_grad()
        (-w).backward()
        (self.lam * gp).backward()
        self.opt_d.step()
        self.state.w_dist.append(w.item())
        self.state.gp.append(gp.item())

    def generator_step(self, n):
        self.D.requires_grad_(False)
        fake = self.G(torch.randn(n, self.z))
        loss = -self.D(fake).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.D.requires_grad_(True)
        self.state.g_loss.append(float(loss.detach()))
        self.state.last_fake = fake

    def step(self, n=48):
        for _ in range(self.n_critic):
            self.critic_step(rings(n))
        self.generator_step(n)
        self.state.step += 1


def main():
    torch.manual_seed(19)
    gan = WGAN()
    for it in range(420):
        gan.step()
        if it % 70 == 0:
            s = gan.state
            radius = s.last_fake.norm(dim=1)
            print(f"{it:4d} W {s.w_dist[-1]:.3f} gp {s.gp[-1]:.3f} G {s.g_loss[-1]:.3f} "
                  f"radius {radius.mean().item():.2f}")


if __name__ == "__main__":
    main()
