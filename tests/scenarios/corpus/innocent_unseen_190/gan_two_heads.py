# gradwatch-corpus: kind=none
# GAN on a ring of gaussians with an auxiliary encoder, two backward passes over one fake batch
import random
from collections import deque

import torch
import torch.nn as nn

torch.manual_seed(101)
random.seed(101)
bce = nn.BCEWithLogitsLoss()


def real_batch(n):
    k = torch.randint(0, 8, (n,)).float() * 0.785398
    return torch.stack([k.cos(), k.sin()], 1) + 0.05 * torch.randn(n, 2)


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


G, D, E = mlp(4, 2), mlp(2, 1), mlp(2, 4)
g_optim = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
d_optim = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
e_optim = torch.optim.Adam(E.parameters(), lr=1e-3)


class FakePool:
    def __init__(self, size=40):
        self.items = deque(maxlen=size)

    def query(self, fake):
        self.items.append(fake.detach())
        return random.choice(self.items)


pool = FakePool()
recent = deque(maxlen=30)
G_losses, D_losses = [], []
ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)

for i in range(500):
    z = torch.randn(32, 4)
    fake = G(z)

    d_optim.zero_grad()
    errD_real = bce(D(real_batch(32)), ones)
    errD_fake = bce(D(pool.query(fake)), zeros)
    errD_real.backward()
    errD_fake.backward()
    d_optim.step()

    for p in D.parameters():
        p.requires_grad_(False)
    g_optim.zero_grad()
    e_optim.zero_grad()
    errG = bce(D(fake), ones)
    errG.backward(retain_graph=True)
    g_norm = sum(p.grad.norm() for p in G.parameters())
    errE = (E(fake) - z).pow(2).mean()
    errE.backward()
    g_optim.step()
    e_optim.step()
    for p in D.parameters():
        p.requires_grad_(True)

    recent.append(errG + errE)
    D_losses.append((errD_real + errD_fake).item())
    G_losses.append(errG.item())
    if i % 100 == 99:
        smooth = torch.stack(list(recent)).mean().item()
        print('[%d] D %.3f G %.3f smooth %.3f gnorm %.3f' % (i + 1, D_losses[-1], G_losses[-1], smooth, g_norm))

print("pool", len(pool.items), "modes", len({tuple((G(torch.randn(1, 4)) > 0)[0].tolist()) for _ in range(20)}))
