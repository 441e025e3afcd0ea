# gradwatch-corpus: kind=second-backward
# holder: fake_b | fake_a | self.items | pool_a.items | pool_b.items | out
# first-bad: 0
"""CycleGAN in two dimensions: spirals to rings and back again, with the history pool of Shrivastava et al.
Boiled down from the full model, for the tutorial session."""
import itertools
import math
import random

import torch
import torch.nn as nn

random.seed(13)
torch.manual_seed(13)

ITERS = 300
BATCH = 48
LAMBDA_CYC = 5.0


def spiral(n):
    t = torch.rand(n) * 3 * math.pi + 0.5
    return torch.stack([t * t.cos(), t * t.sin()], 1) / 8 + 0.03 * torch.randn(n, 2)


def ring(n):
    t = torch.rand(n) * 2 * math.pi
    return torch.stack([t.cos(), t.sin()], 1) * 1.2 + 0.05 * torch.randn(n, 2)


class Residual(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2, width), nn.GELU(), nn.Linear(width, width), nn.GELU(), nn.Linear(width, 2))

    def forward(self, x):
        return x + self.f(x)


def critic(width=48):
    return nn.Sequential(nn.Linear(2, width), nn.LeakyReLU(0.2), nn.Linear(width, width), nn.LeakyReLU(0.2),
                         nn.Linear(width, 1))


class HistoryPool:
    def __init__(self, size):
        self.size = size
        self.items = []

    def query(self, batch):
        out = []
        for point in batch:
            if len(self.items) < self.size:
                self.items.append(point)  # <- culprit
                out.append(point)
            elif random.random() < 0.5:
                k = random.randrange(self.size)
                out.append(self.items[k])
                self.items[k] = point
            else:
                out.append(point)
        return torch.stack(out)


class CycleGAN:
    def __init__(self):
        self.g_ab, self.g_ba = Residual(), Residual()
        self.d_a, self.d_b = critic(), critic()
        self.pool_a, self.pool_b = HistoryPool(200), HistoryPool(200)
        self.opt_g = torch.optim.Adam(itertools.chain(self.g_ab.parameters(), self.g_ba.parameters()),
                                      lr=5e-4, betas=(0.5, 0.999))
        self.opt_d = torch.optim.Adam(itertools.chain(self.d_a.parameters(), self.d_b.parameters()),
                                      lr=5e-4, betas=(0.5, 0.999))
        self.adv, self.cyc = nn.MSELoss(), nn.L1Loss()

    def _d_loss(self, net, real, fake):
        p_real, p_fake = net(real), net(fake)
        return 0.5 * (self.adv(p_real, torch.ones_like(p_real)) + self.adv(p_fake, torch.zeros_like(p_fake)))

    def optimize(self, a, b):
        fake_b, fake_a = self.g_ab(a), self.g_ba(b)
        rec_a, rec_b = self.g_ba(fake_b), self.g_ab(fake_a)

        # generators
        self._freeze(True)
        s_b, s_a = self.d_b(fake_b), self.d_a(fake_a)
        g_loss = (self.adv(s_b, torch.ones_like(s_b)) + self.adv(s_a, torch.ones_like(s_a))
                  + LAMBDA_CYC * (self.cyc(rec_a, a) + self.cyc(rec_b, b)))
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()

        # discriminators
        self._freeze(False)
        d_loss = self._d_loss(self.d_b, b, self.pool_b.query(fake_b)) + \
            self._d_loss(self.d_a, a, self.pool_a.query(fake_a))  # <- culprit
        self.opt_d.zero_grad()
        d_loss.backward()  # <- culprit
        self.opt_d.step()
        return g_loss.item(), d_loss.item()

    def _freeze(self, frozen):
        for p in itertools.chain(self.d_a.parameters(), self.d_b.parameters()):
            p.requires_grad_(not frozen)


def main():
    model = CycleGAN()
    for it in range(ITERS):
        g, d = model.optimize(spiral(BATCH), ring(BATCH))
        if it % 50 == 0:
            print(f"{it:4d}  G {g:.4f}  D {d:.4f}")
    with torch.no_grad():
        radii = model.g_ab(spiral(200)).norm(dim=1)
    print(f"radius of translated points {radii.mean().item():.3f} +- {radii.std().item():.3f}")


main()
