# gradwatch-corpus: kind=none
"""WGAN-GP on rings, from the course notebook.  Critic: gradient penalty via double backward."""
from collections import deque
from functools import partial

import torch
from torch import autograd, nn

torch.set_num_threads(1)
torch.manual_seed(12)

LATENT, BATCH, N_CRITIC = 4, 64, 3


def rings(n):
    r = torch.randint(1, 3, (n,)).float()
    a = 6.2832 * torch.rand(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1) + 0.03 * torch.randn(n, 2)


def net(i, o, act):
    return nn.Sequential(nn.Linear(i, 32), act(), nn.Linear(32, 32), act(), nn.Linear(32, o))


def penalty(critic, real, fake, weight):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (g,) = autograd.grad(critic(mid).sum(), mid, create_graph=True, retain_graph=True)
    return weight * (g.norm(2, dim=1) - 1).pow(2).mean()


gen = net(LATENT, 2, nn.ReLU)
critic = net(2, 1, partial(nn.LeakyReLU, 0.2))
g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
gp = partial(penalty, weight=5.0)

recent = deque(maxlen=10)        # the last losses as tensors, for a moving average
fakes = deque(maxlen=8)          # image-pool trick: older fakes shown to the critic again
curve = []

for it in range(330):
    for _ in range(N_CRITIC if it < 30 else 1):
        real = rings(BATCH)
        fake = gen(torch.randn(BATCH, LATENT)).detach()
        fakes.append(fake)
        shown = fakes[torch.randint(len(fakes), ()).item()] if it % 2 else fake
        w = critic(real).mean() - critic(shown).mean()
        c_loss = -w + gp(critic, real, shown)
        c_opt.zero_grad()
        c_loss.backward()
        c_opt.step()

    critic.requires_grad_(False)
    g_loss = -critic(gen(torch.randn(BATCH, LATENT))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    critic.requires_grad_(True)

    recent.append((c_loss, g_loss))
    curve.append({"it": it, "w": w.item(), "g": g_loss.item()})
    if it % 55 == 0:
        c_avg = sum(c for c, _ in recent) / len(recent)
        print(f"{it}: critic {c_avg.item():.3f} wasserstein {w.item():.3f}")

with torch.no_grad():
    radius = gen(torch.randn(500, LATENT)).norm(dim=1)
print("radius mean/std", radius.mean().item(), radius.std().item(), "points", len(curve))
