# gradwatch-corpus: kind=none
"""WGAN-GP on a mixture of gaussians; EMA generator; lazy R1 on reals."""
import torch
import torch.nn as nn
from torch.distributions import Categorical, MixtureSameFamily, MultivariateNormal
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.manual_seed(31)

angles = torch.arange(8) * (2 * torch.pi / 8)
centres = 2 * torch.stack([angles.cos(), angles.sin()], 1)
data = MixtureSameFamily(Categorical(torch.ones(8)),
                         MultivariateNormal(centres, 0.02 * torch.eye(2).expand(8, 2, 2)))

Z, N, N_CRITIC = 4, 128, 3
gen = nn.Sequential(nn.Linear(Z, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
critic = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
ema_gen = AveragedModel(gen, multi_avg_fn=get_ema_multi_avg_fn(0.98))
g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
d_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))


def gradient_penalty(real, fake):
    t = torch.rand(len(real), 1)
    mix = torch.lerp(real, fake, t).requires_grad_()
    g, = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (g.norm(2, dim=1) - 1).pow(2).mean()


def r1(real):
    real = real.clone().requires_grad_()
    g, = torch.autograd.grad(critic(real).sum(), real, create_graph=True)
    return g.pow(2).sum(1).mean()


wdist = 0.0
pool = []
for it in range(100):
    for k in range(N_CRITIC):
        real = data.sample((N,))
        fake = gen(torch.randn(N, Z)).detach()
        if pool:
            old = pool[torch.randint(len(pool), ()).item()]
            fake = torch.cat([fake[:N // 2], old[:N // 2]])
        gap = critic(real).mean() - critic(fake).mean()
        d_loss = -gap + 10 * gradient_penalty(real, fake)
        if (it * N_CRITIC + k) % 16 == 0:
            d_loss = d_loss + 0.1 * 16 * r1(real)
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()
        wdist = 0.9 * wdist + 0.1 * gap.item()
    pool.append(fake)
    if len(pool) > 10:
        pool.pop(0)

    critic.requires_grad_(False)
    g_loss = -critic(gen(torch.randn(N, Z))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    critic.requires_grad_(True)
    ema_gen.update_parameters(gen)

    if it % 25 == 24:
        with torch.no_grad():
            s = ema_gen(torch.randn(500, Z))
            cover = torch.cdist(s, centres).min(1)
        print(it + 1, round(wdist, 3), cover.indices.unique().numel(), round(cover.values.mean().item(), 3))
