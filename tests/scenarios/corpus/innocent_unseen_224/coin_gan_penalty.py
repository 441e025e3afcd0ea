# gradwatch-corpus: kind=none
# make fake coin weights (old roman coins), wgan with gradient penalty
import torch
import torch.nn as nn

torch.manual_seed(27)

G = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 2))
D = nn.Sequential(nn.Linear(2, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

optG = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
optD = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))

lam = 5.0
batch = 64


def real_coins(n):
    kind = torch.randint(0, 2, (n, 1)).float()
    weight = 3.2 + 1.1 * kind + 0.1 * torch.randn(n, 1)
    diameter = 1.8 + 0.5 * kind + 0.05 * torch.randn(n, 1)
    return torch.cat([weight, diameter], 1)


def penalty(real, fake):
    a = torch.rand(real.shape[0], 1)
    mix = (a * real + (1 - a) * fake).requires_grad_(True)
    score = D(mix)
    g = torch.autograd.grad(score.sum(), mix, create_graph=True)[0]
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


d_hist = []
g_hist = []
fake_pool = []

for it in range(120):
    for k in range(2):
        real = real_coins(batch)
        with torch.no_grad():
            fake = G(torch.randn(batch, 4))
        # mix in some older fakes
        if len(fake_pool) > 3:
            fake[:16] = fake_pool[it % len(fake_pool)]
        d_loss = D(fake).mean() - D(real).mean() + lam * penalty(real, fake)
        optD.zero_grad()
        d_loss.backward()
        optD.step()

    fake_pool.append(fake[-16:].clone())
    if len(fake_pool) > 10:
        fake_pool.pop(0)

    for p in D.parameters():
        p.requires_grad_(False)
    g_loss = -D(G(torch.randn(batch, 4))).mean()
    optG.zero_grad()
    g_loss.backward()
    optG.step()
    for p in D.parameters():
        p.requires_grad_(True)

    d_hist.append(d_loss.item())
    g_hist.append(g_loss.item())
    if it % 40 == 0:
        print(it, d_hist[-1], g_hist[-1])

with torch.no_grad():
    coins = G(torch.randn(500, 4))
print("mean weight", coins[:, 0].mean().item(), "mean diameter", coins[:, 1].mean().item())
