# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(10)
torch.manual_seed(10)

Z = 10
SIZE = 8

G = nn.Sequential(
    nn.Linear(Z, 8 * 4), nn.ReLU(), nn.Unflatten(1, (8, 2, 2)),
    nn.ConvTranspose2d(8, 8, 4, stride=2, padding=1), nn.ReLU(),
    nn.ConvTranspose2d(8, 1, 4, stride=2, padding=1), nn.Tanh(),
)
D = nn.Sequential(
    nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.LeakyReLU(0.2),
    nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.LeakyReLU(0.2),
    nn.Flatten(), nn.Linear(16 * 4, 1),
)
opt_G = torch.optim.Adam(G.parameters(), lr=4e-4, betas=(0.5, 0.99))
opt_D = torch.optim.Adam(D.parameters(), lr=4e-4, betas=(0.5, 0.99))

pool = []
POOL_SIZE = 40


def query_pool(images):
    """Mix fresh fakes with older ones for the discriminator."""
    picked = []
    for img in images:
        if len(pool) < POOL_SIZE:
            pool.append(img)
            picked.append(img)
        elif random.random() < 0.5:
            k = random.randrange(POOL_SIZE)
            picked.append(pool[k])
            pool[k] = img
        else:
            picked.append(img)
    return torch.stack(picked)


def real_textures(n):
    fx = torch.randint(1, 4, (n, 1, 1)).float()
    fy = torch.randint(1, 4, (n, 1, 1)).float()
    ph = 6.28 * torch.rand(n, 1, 1)
    g = torch.linspace(0, 3.14, SIZE)
    img = torch.sin(fx * g.view(1, 1, -1) + fy * g.view(1, -1, 1) + ph)
    return img.unsqueeze(1)


def gradient_penalty(real, n):
    x = real[:n].clone().requires_grad_(True)
    score = D(x).sum()
    g, = torch.autograd.grad(score, x, create_graph=True)
    return g.pow(2).flatten(1).sum(1).mean()


d_avg, g_avg, gp_value = 0.0, 0.0, 0.0
last_fake = None
snapshots = {}

for it in range(600):
    real = real_textures(16)
    fake = G(torch.randn(16, Z))
    last_fake = fake

    opt_D.zero_grad()
    d_loss = F.softplus(-D(real)).mean() + F.softplus(D(query_pool(fake.detach()))).mean()
    if it % 4 == 0:
        gp = gradient_penalty(real, 8)
        d_loss = d_loss + 0.1 * gp
        gp_value = gp.item()
    d_loss.backward()
    opt_D.step()

    opt_G.zero_grad()
    for p in D.parameters():
        p.requires_grad_(False)
    g_loss = F.softplus(-D(fake)).mean()
    g_loss.backward()
    opt_G.step()
    for p in D.parameters():
        p.requires_grad_(True)

    d_avg += 0.05 * (d_loss.item() - d_avg)
    g_avg += 0.05 * (g_loss.item() - g_avg)
    if it % 100 == 0:
        snapshots[it] = last_fake[0].detach().clone()
        print(f"it {it} D {d_avg:.3f} G {g_avg:.3f} gp {gp_value:.3f} pool {len(pool)}")

print("snapshots:", {k: round(v.std().item(), 3) for k, v in snapshots.items()})
