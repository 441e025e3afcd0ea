# gradwatch-corpus: kind=none
# %% Synthetic transactions with WGAN-GP
from collections import deque

import torch
from torch import nn

torch.manual_seed(14)
LATENT = 8
COLUMNS = 10
N_CRITIC = 2
GP_WEIGHT = 10.0

generator = nn.Sequential(nn.Linear(LATENT, 32), nn.ReLU(), nn.Linear(32, COLUMNS))
critic = nn.Sequential(nn.Linear(COLUMNS, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))
opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
mixing = torch.randn(COLUMNS, COLUMNS)
fake_pool = deque(maxlen=8)
wasserstein = []


# %%
def real_rows(n):
    return torch.tanh(torch.randn(n, COLUMNS) @ mixing)


def gradient_penalty(real, fake):
    mix = torch.rand(real.shape[0], 1)
    inter = (mix * real + (1 - mix) * fake).requires_grad_(True)
    score = critic(inter)
    (grad,) = torch.autograd.grad(score.sum(), inter, create_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


def critic_step(n=48):
    real = real_rows(n)
    with torch.no_grad():
        fake = generator(torch.randn(n, LATENT))
    fake_pool.append(fake)
    pooled = torch.cat(list(fake_pool))
    fake = pooled[torch.randperm(len(pooled))[:n]]
    gap = critic(real).mean() - critic(fake).mean()
    loss = -gap + GP_WEIGHT * gradient_penalty(real, fake)
    opt_c.zero_grad()
    loss.backward()
    opt_c.step()
    return gap.item()


def generator_step(n=48):
    critic.requires_grad_(False)
    loss = -critic(generator(torch.randn(n, LATENT))).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
    critic.requires_grad_(True)
    return loss.item()


# %%
for step in range(100):
    for _ in range(N_CRITIC):
        gap = critic_step()
    g_loss = generator_step()
    wasserstein.append(gap)
    if step % 25 == 24:
        print(f"{step + 1}: W={sum(wasserstein[-25:]) / 25:.3f} g={g_loss:.3f}")
