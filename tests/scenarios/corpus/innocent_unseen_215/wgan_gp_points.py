# gradwatch-corpus: kind=none
import math

import torch
from torch import autograd, nn

torch.manual_seed(10)

LAMBDA, N_CRITIC, BATCH, ITERS = 1.0, 3, 128, 80


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def eight_gaussians(n):
    k = torch.randint(0, 8, (n,)).float() * math.pi / 4
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    x = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = critic(x)
    grad = autograd.grad(out, x, torch.ones_like(out), create_graph=True, retain_graph=True)[0]
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


G, C = mlp(4, 2), mlp(2, 1)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_c = torch.optim.Adam(C.parameters(), lr=1e-3, betas=(0.5, 0.9))
history = {"wdist": [], "gp": []}
samples = []

for it in range(ITERS):
    for _ in range(N_CRITIC):
        real = eight_gaussians(BATCH)
        with torch.no_grad():
            fake = G(torch.randn(BATCH, 4))
        wdist = C(real).mean() - C(fake).mean()
        gp = gradient_penalty(C, real, fake)
        opt_c.zero_grad(set_to_none=True)
        (-wdist + LAMBDA * gp).backward()
        opt_c.step()

    for p in C.parameters():
        p.requires_grad_(False)
    fake = G(torch.randn(BATCH, 4))
    g_loss = -C(fake).mean()
    opt_g.zero_grad(set_to_none=True)
    g_loss.backward()
    opt_g.step()
    for p in C.parameters():
        p.requires_grad_(True)

    history["wdist"].append(wdist.item())
    history["gp"].append(gp.item())
    if it % 20 == 19:
        samples.append(fake.detach()[:16].clone())
        print(f"it {it + 1} W {history['wdist'][-1]:.3f} gp {history['gp'][-1]:.4f} |x| {samples[-1].norm(dim=1).mean():.2f}")
