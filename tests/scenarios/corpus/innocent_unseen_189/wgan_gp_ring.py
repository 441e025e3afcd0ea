# gradwatch-corpus: kind=none
import copy
import math
from collections import defaultdict

import torch
import torch.nn as nn


def ring(n, g):
    a = torch.randint(8, (n,), generator=g) * (math.pi / 4)
    return 2 * torch.stack([a.cos(), a.sin()], 1) + 0.05 * torch.randn(n, 2, generator=g)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class PathLengthPenalty:
    def __init__(self, beta=0.98):
        self.beta, self.running = beta, torch.zeros(())

    def __call__(self, fake, z):
        y = torch.randn_like(fake)
        g, = torch.autograd.grad((fake * y).sum(), z, create_graph=True)
        length = (g.pow(2).sum(1) + 1e-8).sqrt()
        penalty = (length - self.running).pow(2).mean()
        self.running = self.running.lerp(length.detach().mean(), 1 - self.beta)
        return penalty


class ImagePool:
    """Hands the critic a mixture of fresh and past fakes."""

    def __init__(self, size):
        self.size, self.items = size, []

    def query(self, batch):
        out = []
        for row in batch:
            if len(self.items) < self.size:
                self.items.append(row)
                out.append(row)
            elif torch.rand(()) < 0.5:
                j = int(torch.randint(self.size, ()))
                out.append(self.items[j])
                self.items[j] = row
            else:
                out.append(row)
        return torch.stack(out)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    x = (eps * real + (1 - eps) * fake).requires_grad_(True)
    grad, = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


def main(iters=220, n_critic=2, batch=16):
    torch.manual_seed(6)
    g = torch.Generator().manual_seed(66)
    G, C = mlp(4, 24, 24, 2), mlp(2, 24, 24, 1)
    G_ema = copy.deepcopy(G).requires_grad_(False)
    g_opt = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.0, 0.9))
    c_opt = torch.optim.Adam(C.parameters(), 1e-3, betas=(0.0, 0.9))
    path, pool, log = PathLengthPenalty(), ImagePool(64), defaultdict(list)
    for it in range(iters):
        for _ in range(n_critic):
            real = ring(batch, g)
            fake = pool.query(G(torch.randn(batch, 4)).detach())
            wdist = C(real).mean() - C(fake).mean()
            gp = gradient_penalty(C, real, fake)
            c_opt.zero_grad()
            (10 * gp - wdist).backward()
            c_opt.step()
            log["wdist"].append(wdist.detach())
            log["gp"].append(float(gp))
        z = torch.randn(batch, 4, requires_grad=True)
        fake = G(z)
        g_loss = -C(fake).mean()
        if it % 4 == 0:
            g_loss = g_loss + 0.1 * path(fake, z)
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
        with torch.no_grad():
            for e, p in zip(G_ema.parameters(), G.parameters()):
                e.lerp_(p, 0.02)
        if it % 50 == 49:
            print(it, f"W {torch.stack(log['wdist']).mean().item():.3f} gp {sum(log['gp']) / len(log['gp']):.3f} "
                      f"path {path.running.item():.3f}")
            log.clear()


if __name__ == "__main__":
    main()
