# gradwatch-corpus: kind=none
"""WGAN-GP on synthetic daily return paths."""
from collections import deque

import torch
import torch.nn as nn

T, Z = 24, 8


def real_paths(n):
    vol = 0.5 + torch.rand(n, 1)
    eps = torch.randn(n, T)
    r = torch.zeros(n, T)
    for t in range(T):
        r[:, t] = vol[:, 0] * eps[:, t] * (1 + 0.5 * (r[:, t - 1].abs() if t else 0.0))
    return r


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, o))


class PathGAN:
    def __init__(self):
        self.G, self.D = mlp(Z, T), mlp(T, 1)
        self.og = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.od = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.pool = deque(maxlen=8)

    def fake(self, n):
        return self.G(torch.randn(n, Z))

    def penalty(self, real, fake):
        a = torch.rand(real.size(0), 1)
        mid = (a * real + (1 - a) * fake).requires_grad_(True)
        g, = torch.autograd.grad(self.D(mid).sum(), mid, create_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real):
        fake = self.fake(real.size(0)).detach()
        self.pool.append(fake)
        old = self.pool[0]
        d_fake = 0.5 * (self.D(fake).mean() + self.D(old).mean())
        loss = d_fake - self.D(real).mean() + 10 * self.penalty(real, fake)
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        return -loss.item()

    def gen_step(self, n):
        self.D.requires_grad_(False)
        loss = -self.D(self.fake(n)).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        self.D.requires_grad_(True)
        return loss.item()


def kurtosis(r):
    z = (r - r.mean()) / r.std()
    return z.pow(4).mean().item()


def main(rounds=60, n_critic=3, batch=64):
    torch.manual_seed(7)
    gan = PathGAN()
    w_hist, g_hist = [], []
    for k in range(rounds):
        for _ in range(n_critic):
            w_hist.append(gan.critic_step(real_paths(batch)))
        g_hist.append(gan.gen_step(batch))
        if k % 15 == 0:
            with torch.no_grad():
                kf = kurtosis(gan.fake(512))
            print(f"round {k:3d} W {w_hist[-1]:+.3f} G {g_hist[-1]:+.3f} kurtosis fake {kf:.2f} real {kurtosis(real_paths(512)):.2f}")


if __name__ == "__main__":
    main()
