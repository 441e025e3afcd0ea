# gradwatch-corpus: kind=none
"""MR-to-CT patch translation with a critic, gradient penalty and a pool of earlier fakes."""
import random

import torch
import torch.nn.functional as F
from torch import nn


class PatchPool:
    """Gives the critic a mix of new and earlier fakes (Shrivastava et al.)."""

    def __init__(self, size, rng):
        self.size, self.rng, self.patches = size, rng, []

    def exchange(self, fakes):
        out = []
        for f in fakes:
            if len(self.patches) < self.size:
                self.patches.append(f.clone())
                out.append(f)
            elif self.rng.random() < 0.5:
                i = self.rng.randrange(self.size)
                out.append(self.patches[i])
                self.patches[i] = f.clone()
            else:
                out.append(f)
        return torch.stack(out)


class Generator(nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, w, 3, padding=1), nn.ReLU(), nn.Conv2d(w, w, 3, padding=1), nn.ReLU(),
            nn.Conv2d(w, 1, 3, padding=1))

    def forward(self, x):
        return x + self.net(x)


class Critic(nn.Module):
    def __init__(self, w=12):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, w, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(w, 2 * w, 4, 2, 1), nn.LeakyReLU(0.2))
        self.out = nn.Linear(2 * w, 1)
        self.taps = {}

    def forward(self, x):
        h = self.net(x)
        self.taps["last"] = h
        return self.out(h.mean((2, 3))).squeeze(-1)


def paired(n, size=16):
    mr = F.avg_pool2d(torch.randn(n, 1, size + 4, size + 4), 5, 1)
    return mr, torch.tanh(3 * mr) + 0.05 * torch.randn_like(mr)


def penalty(critic, real, fake):
    eps = torch.rand(len(real), 1, 1, 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (g,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (g.flatten(1).norm(dim=1) - 1).pow(2).mean()


class Translation:
    def __init__(self, rng, lam=5.0):
        self.G, self.D, self.lam = Generator(), Critic(), lam
        self.pool = PatchPool(40, rng)
        self.g_opt = torch.optim.Adam(self.G.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.D.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.last = None

    def critic_step(self, ct, fake):
        past = self.pool.exchange(fake.detach())
        loss = self.D(past).mean() - self.D(ct).mean() + self.lam * penalty(self.D, ct, past)
        self.d_opt.zero_grad()
        loss.backward()
        self.d_opt.step()
        return loss

    def step(self, mr, ct):
        fake = self.G(mr)
        d_loss = self.critic_step(ct, fake)
        with torch.no_grad():
            self.D(ct)
            want = self.D.taps["last"]
        adv = -self.D(fake).mean()
        feat = F.l1_loss(self.D.taps["last"], want)
        rec = F.l1_loss(fake, ct)
        self.g_opt.zero_grad()
        # log how hard the reconstruction term pulls, then the whole loss
        (pull,) = torch.autograd.grad(rec, fake, retain_graph=True)
        (adv + feat + 10 * rec).backward()
        self.g_opt.step()
        self.last = {"d": d_loss, "rec": rec, "pull": pull.norm()}


if __name__ == "__main__":
    torch.manual_seed(44)
    torch.set_num_threads(1)
    run = Translation(random.Random(44))
    for it in range(90):
        run.step(*paired(4))
        if it % 15 == 0:
            print(it, {k: round(v.item(), 4) for k, v in run.last.items()}, "pool", len(run.pool.patches))
