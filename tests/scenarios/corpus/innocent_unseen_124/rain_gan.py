# gradwatch-corpus: kind=none
"""Conditional GAN for hourly rain profiles, with feature matching."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)


class Gen(nn.Module):
    def __init__(self):
        super().__init__()
        self.season = nn.Embedding(4, 6)
        self.f = nn.Sequential(nn.Linear(12, 32), nn.LeakyReLU(0.2), nn.Linear(32, 24))

    def forward(self, z, s):
        return F.softplus(self.f(torch.cat([z, self.season(s)], 1)))


class Disc(nn.Module):
    def __init__(self):
        super().__init__()
        self.season = nn.Embedding(4, 6)
        self.f = nn.Sequential(nn.utils.parametrizations.spectral_norm(nn.Linear(30, 32)), nn.LeakyReLU(0.2))
        self.out = nn.Linear(32, 1)
        self.last = None

    def forward(self, p, s):
        self.last = self.f(torch.cat([p, self.season(s)], 1))
        return self.out(self.last)


def profiles(n=24):
    s = torch.randint(0, 4, (n,))
    h = torch.arange(24.0)
    return torch.exp(-((h - 5 * s[:, None] - 3) ** 2) / 10) + 0.05 * torch.rand(n, 24), s


gen, disc = Gen(), Disc()
og = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
od = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.9))
history = {"d": [], "g": []}
for it in range(500):
    real, s = profiles()
    fake = gen(torch.randn(len(s), 6), s)
    d_loss = F.relu(1 - disc(real, s)).mean() + F.relu(1 + disc(fake.detach(), s)).mean()
    od.zero_grad()
    d_loss.backward()
    od.step()

    with torch.no_grad():
        disc(real, s)
        want = disc.last.mean(0)
    score = disc(fake, s)
    g_loss = -score.mean() + F.mse_loss(disc.last.mean(0), want)
    og.zero_grad()
    g_loss.backward()
    og.step()
    history["d"].append(d_loss.item())
    history["g"].append(g_loss.item())
    if it % 100 == 99:
        print(it, {k: round(sum(v[-50:]) / 50, 4) for k, v in history.items()})
