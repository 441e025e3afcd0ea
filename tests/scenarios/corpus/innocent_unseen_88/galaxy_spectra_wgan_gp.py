# gradwatch-corpus: kind=none
# WGAN-GP that makes galaxy spectra (astro student, bent from the MNIST tutorial).
# The critic sees a batch of old fakes too, as in Shrivastava et al. 2017.
import random

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1)
random.seed(1)

BINS, NZ, B = 32, 6, 16
wave = torch.linspace(0, 1, BINS)


def real_spectra(n):
    slope = torch.rand(n, 1) - 0.5
    z = torch.rand(n, 1) * 0.2
    amp = torch.rand(n, 1) + 0.5
    lines = sum(amp * torch.exp(-((wave - c - z) / 0.02) ** 2) for c in (0.2, 0.45, 0.7))
    return 1 + slope * wave + lines + 0.03 * torch.randn(n, BINS)


G = nn.Sequential(nn.Linear(NZ, 32), nn.LeakyReLU(0.2), nn.Linear(32, BINS))
D = nn.Sequential(nn.Linear(BINS, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
optG = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
optD = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))


class FakePool:
    """Keeps old fakes; rows get replaced at random when it is full."""
    rows = []

    @classmethod
    def mix(cls, fake, cap=200):
        fresh = fake.detach()
        out = fresh.clone()
        if len(cls.rows) >= B:
            for k in range(B // 2):
                out[k] = random.choice(cls.rows)
        for row in fresh.unbind(0):
            if len(cls.rows) < cap:
                cls.rows.append(row.clone())
            else:
                cls.rows[random.randrange(cap)] = row.clone()
        return out


def gradient_penalty(real, fake):
    a = torch.rand(len(real), 1)
    mid = (a * real + (1 - a) * fake).requires_grad_(True)
    score = D(mid)
    (g,) = torch.autograd.grad(score, mid, torch.ones_like(score), create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


table = {"W": [], "gp": [], "g": []}
for it in range(360):
    real = real_spectra(B)
    fake = G(torch.randn(B, NZ))

    # critic
    old = FakePool.mix(fake)
    gp = gradient_penalty(real, old)
    w = D(real).mean() - D(old).mean()
    optD.zero_grad()
    (-w + 10 * gp).backward()
    optD.step()

    # generator, every second step; the same fake is still good here
    if it % 2:
        for p in D.parameters():
            p.requires_grad_(False)
        lg = -D(fake).mean()
        optG.zero_grad()
        lg.backward()
        optG.step()
        for p in D.parameters():
            p.requires_grad_(True)
        table["g"].append(float(lg.detach()))
    table["W"].append(w.item())
    table["gp"].append(gp.item())
    if it % 60 == 0:
        print(it, " ".join(f"{k}={v[-1]:.3f}" for k, v in table.items() if v))

with torch.no_grad():
    err = (G(torch.randn(200, NZ)).mean(0) - real_spectra(200).mean(0)).abs().mean()
print("mean spectrum off by", round(err.item(), 4), "pool", len(FakePool.rows))
