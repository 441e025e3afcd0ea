# gradwatch-corpus: kind=none
import torch
from torch import nn

from penalty import lipschitz_penalty

torch.set_num_threads(1)
torch.manual_seed(39)

gen = nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, 14))
critic = nn.Sequential(nn.Linear(14, 20), nn.LeakyReLU(0.1), nn.Linear(20, 1))
og = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
oc = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))


def spectra(n):
    centre = torch.rand(n, 1) * 14
    return torch.exp(-(torch.arange(14) - centre) ** 2 / 4)


def critic_turn(n=16):
    real = spectra(n)
    with torch.no_grad():
        made = gen(torch.randn(n, 3))
    gap = critic(made).mean() - critic(real).mean()
    loss = gap + 10 * lipschitz_penalty(critic, real, made)
    oc.zero_grad()
    loss.backward()
    oc.step()
    return gap.item()


def generator_turn(n=16):
    critic.requires_grad_(False)
    loss = -critic(gen(torch.randn(n, 3))).mean()
    og.zero_grad()
    loss.backward()
    og.step()
    critic.requires_grad_(True)


for rnd in range(200):
    gaps = [critic_turn() for _ in range(3)]
    generator_turn()
    if rnd % 40 == 0:
        print(rnd, sum(gaps) / 3)
