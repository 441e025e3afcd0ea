# gradwatch-corpus: kind=none
import math
from itertools import count

import torch
import torch.nn as nn


def mlp(sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(act())
    return nn.Sequential(*layers[:-1])


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = mlp([2, 32, 32, 1])

    def forward(self, x):
        return self.f(x).squeeze(1)


class Gen(nn.Module):
    def __init__(self, nz):
        super().__init__()
        self.nz = nz
        self.g = mlp([nz, 32, 32, 2])

    def sample(self, n):
        return self.g(torch.randn(n, self.nz))


def rings(n):
    k = torch.randint(8, (n,)).float()
    ang = 2 * math.pi * k / 8
    return torch.stack([ang.cos(), ang.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def calc_gradient_penalty(netD, real_data, fake_data, LAMBDA=1.0):
    alpha = torch.rand(real_data.size(0), 1)
    interpolates = alpha * real_data + (1 - alpha) * fake_data
    interpolates.requires_grad_(True)
    disc_interpolates = netD(interpolates)
    gradients = torch.autograd.grad(
        outputs=disc_interpolates,
        inputs=interpolates,
        grad_outputs=torch.ones_like(disc_interpolates),
        create_graph=True,
        retain_graph=True,
        only_inputs=True,
    )[0]
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * LAMBDA


def main():
    torch.manual_seed(0)
    D = Critic()
    G = Gen(4)
    optD = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
    optG = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
    history = {"w": [], "gp": [], "g": []}
    last_fake = None
    for it in count():
        if it == 80:
            break
        for p in D.parameters():
            p.requires_grad_(True)
        for _ in range(3):
            real = rings(64)
            with torch.no_grad():
                fake = G.sample(64)
            D.zero_grad()
            d_real = D(real).mean()
            d_fake = D(fake).mean()
            gp = calc_gradient_penalty(D, real, fake)
            D_cost = d_fake - d_real + gp
            D_cost.backward()
            optD.step()
        Wasserstein_D = (d_real - d_fake).detach()
        for p in D.parameters():
            p.requires_grad_(False)
        G.zero_grad()
        last_fake = G.sample(64)
        G_cost = -D(last_fake).mean()
        G_cost.backward()
        optG.step()
        history["w"].append(Wasserstein_D)
        history["gp"].append(gp.item())
        history["g"].append(G_cost.detach())
        if it % 20 == 0:
            print(it, "W", round(history["w"][-1].item(), 3), "gp", round(history["gp"][-1], 3))
    radius = last_fake.detach().norm(dim=1).mean()
    print("mean radius", round(radius.item(), 3), "W mean", round(torch.stack(history["w"]).mean().item(), 3))


if __name__ == "__main__":
    main()
