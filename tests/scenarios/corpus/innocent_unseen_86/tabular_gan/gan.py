from collections import defaultdict, deque

import torch
import torch.nn.functional as F
from torch import nn

from pool import FakePool


def mlp(i, o, w=32):
    return nn.Sequential(nn.Linear(i, w), nn.LeakyReLU(0.2), nn.Linear(w, w),
                         nn.LeakyReLU(0.2), nn.Linear(w, o))


class GanTrainer:
    def __init__(self, cols, noise):
        self.noise = noise
        self.G, self.D = mlp(noise, cols), mlp(cols, 1)
        self.g_opt = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.d_opt = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.pool = FakePool(256)
        self.recent = defaultdict(lambda: deque(maxlen=16))
        self.everything = []

    def _penalty(self, real):
        real = real.clone().requires_grad_(True)
        score = self.D(real).sum()
        grad, = torch.autograd.grad(score, real, create_graph=True)
        return grad.pow(2).sum(1).mean()

    def iteration(self, real):
        fake = self.G(torch.randn(len(real), self.noise))
        old = self.pool.mix(fake)
        d_loss = F.softplus(-self.D(real)).mean() + F.softplus(self.D(old)).mean()
        gp = self._penalty(real)
        self.d_opt.zero_grad()
        (d_loss + 0.5 * gp).backward()
        self.d_opt.step()

        self.D.requires_grad_(False)
        g_loss = F.softplus(-self.D(fake)).mean()
        self.g_opt.zero_grad()
        g_loss.backward()
        self.g_opt.step()
        self.D.requires_grad_(True)

        for name, value in (("d", d_loss), ("g", g_loss), ("gp", gp)):
            self.recent[name].append(value)
        self.everything.append((d_loss.item(), g_loss.item()))

    def report(self):
        return {k: round((sum(v) / len(v)).item(), 3) for k, v in self.recent.items()}

    @torch.no_grad()
    def generate(self, n):
        return self.G(torch.randn(n, self.noise))
