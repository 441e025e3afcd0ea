# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(23)

Z, BATCH, STEPS = 8, 64, 150


def ring(n):
    """Points on eight little heaps on a circle."""
    k = torch.randint(8, (n,)).float() * math.pi / 4
    return torch.stack([k.cos(), k.sin()], dim=1) + 0.05 * torch.randn(n, 2)


def mlp(*sizes):
    parts = []
    for a, b in zip(sizes, sizes[1:]):
        parts += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*parts[:-1])


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(Z, 64, 64, 2)

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = mlp(2, 64, 64)
        self.verdict = nn.Linear(64, 1)

    def forward(self, x):
        feat = F.leaky_relu(self.features(x), 0.2)
        return self.verdict(feat).squeeze(1), feat


class RingGAN:
    """One generator pass serves both players."""

    def __init__(self):
        self.g, self.d = Generator(), Critic()
        self.opt_g = torch.optim.Adam(self.g.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(self.d.parameters(), lr=1e-3, betas=(0.5, 0.99))
        self.log = {"d": [], "g": []}

    def play(self, real):
        fake = self.g(torch.randn(len(real), Z))

        real_score, real_feat = self.d(real)
        fake_score, _ = self.d(fake)
        d_loss = F.softplus(-real_score).mean() + F.softplus(fake_score).mean()
        self.opt_d.zero_grad()
        d_loss.backward(retain_graph=True)
        self.opt_d.step()

        fake_score, fake_feat = self.d(fake)
        match = (fake_feat.mean(0) - real_feat.detach().mean(0)).pow(2).sum()
        g_loss = F.softplus(-fake_score).mean() + 0.1 * match
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()

        self.log["d"].append(d_loss.item())
        self.log["g"].append(g_loss.item())

    @torch.no_grad()
    def radius(self, n=500):
        r = self.g(torch.randn(n, Z)).norm(dim=1)
        return r.mean().item(), r.std().item()


def mean(values):
    return sum(values) / len(values)


gan = RingGAN()
for step in range(1, STEPS + 1):
    gan.play(ring(BATCH))
    if step % 50 == 0:
        r, spread = gan.radius()
        print(f"{step:4d}  D {mean(gan.log['d'][-50:]):.3f}  G {mean(gan.log['g'][-50:]):.3f}  radius {r:.2f} ± {spread:.2f}")
