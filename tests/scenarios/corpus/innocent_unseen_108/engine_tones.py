# gradwatch-corpus: kind=none
# WGAN-GP for engine-order amplitude profiles (NVH bench).  The critic sees real
# profiles, fresh fakes and a reservoir of old fakes.
from collections import deque
import random

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(500)
random.seed(500)

ORDERS, Z = 24, 6
LAMBDA_GP = 5.0


def bench(n):
    """Amplitude per engine order for n run-ups."""
    k = torch.arange(1, ORDERS + 1).float()
    tilt = 0.5 + 0.3 * torch.rand(n, 1)
    firing = (k % 2 == 0).float() * (0.6 + 0.4 * torch.rand(n, 1))
    res = torch.exp(-0.5 * ((k - 8 - 6 * torch.rand(n, 1)) / 1.5) ** 2)
    return k.pow(-tilt) + firing * k.pow(-0.5) + 0.5 * res + 0.02 * torch.randn(n, ORDERS)


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


class OldFakes(list):
    """Algorithm-R reservoir."""

    def __init__(self, cap):
        super().__init__()
        self.cap, self.offered = cap, 0

    def offer(self, rows):
        for row in rows.detach():
            self.offered += 1
            if len(self) < self.cap:
                self.append(row)
            else:
                j = random.randrange(self.offered)
                if j < self.cap:
                    self[j] = row

    def draw(self, n):
        return torch.stack(random.choices(self, k=n))


def gradient_penalty(critic, a, b):
    eps = torch.rand(len(a), 1)
    mid = (eps * a + (1 - eps) * b).requires_grad_()
    slope, = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


G = mlp(Z, 48, 48, ORDERS)
D = mlp(ORDERS, 48, 48, 1)
opt_g = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), 1e-3, betas=(0.5, 0.9))
old = OldFakes(cap=400)
gap, last_fakes = [], deque(maxlen=3)

for it in range(400):
    for _ in range(2):
        real = bench(32)
        fake = G(torch.randn(32, Z)).detach()
        if len(old) > 64:
            fake = torch.cat([fake[:24], old.draw(8)])
        w = D(real).mean() - D(fake).mean()
        d_loss = -w + LAMBDA_GP * gradient_penalty(D, real, fake)
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
    gap.append(w.item())

    for p in D.parameters():
        p.requires_grad_(False)
    fake = G(torch.randn(32, Z))
    g_loss = -D(fake).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    for p in D.parameters():
        p.requires_grad_(True)

    last_fakes.append(fake)
    old.offer(fake)
    if it % 100 == 99:
        m = torch.cat(list(last_fakes)).mean(0)
        err = (m - bench(500).mean(0)).abs().mean().item()
        print(f"{it + 1:4d}  critic gap {sum(gap[-50:]) / 50:+.3f}  mean-profile error {err:.3f}")
