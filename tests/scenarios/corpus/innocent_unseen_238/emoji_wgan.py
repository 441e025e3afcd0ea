# gradwatch-corpus: kind=none
# smiley faces 12x12, wasserstein gan with gradient penalty, EMA copy of the generator for the pictures
import copy
import random
from collections import deque

import torch
import torch.nn as nn

torch.manual_seed(12)
random.seed(12)

S = 12
Z = 10
N = 16
ROUNDS = 70
GP = 10.0

old_fakes = deque(maxlen=8)
scoreboard = {"critic": [], "gen": [], "gp": []}


def smileys(n):
    out = -torch.ones(n, 1, S, S)
    yy, xx = torch.meshgrid(torch.arange(S), torch.arange(S), indexing="ij")
    for i in range(n):
        r = random.uniform(4.2, 5.6)
        disc = ((yy - 5.5) ** 2 + (xx - 5.5) ** 2) < r * r
        face = out[i, 0]
        face[disc] = 1.0
        face[4, 3] = -1.0
        face[4, 8] = -1.0
        mouth = random.choice([7, 8])
        face[mouth, 4:8] = -1.0
    return out


gen = nn.Sequential(
    nn.Linear(Z, 48),
    nn.ReLU(),
    nn.Linear(48, 96),
    nn.ReLU(),
    nn.Linear(96, S * S),
    nn.Tanh(),
    nn.Unflatten(1, (1, S, S)),
)
critic = nn.Sequential(
    nn.Conv2d(1, 12, 4, 2, 1),
    nn.LeakyReLU(0.2),
    nn.Conv2d(12, 24, 4, 2, 1),
    nn.LeakyReLU(0.2),
    nn.Flatten(),
    nn.Linear(24 * 9, 1),
)
artist = copy.deepcopy(gen).requires_grad_(False)
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))

noise = lambda n: torch.randn(n, Z)


def penalty(real, fake):
    t = torch.rand(real.shape[0], 1, 1, 1)
    mixed = (t * real + (1 - t) * fake).requires_grad_(True)
    slope = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)[0]
    return ((slope.flatten(1).norm(dim=1) - 1) ** 2).mean()


def critic_turn():
    real = smileys(N)
    with torch.no_grad():
        fake = gen(noise(N))
    if len(old_fakes) == old_fakes.maxlen and random.random() < 0.5:
        fake = torch.cat([fake[: N // 2], random.choice(old_fakes)[: N // 2]])
    gp = penalty(real, fake)
    loss = critic(fake).mean() - critic(real).mean() + GP * gp
    opt_c.zero_grad()
    loss.backward()
    opt_c.step()
    scoreboard["critic"].append(loss.item())
    scoreboard["gp"].append(gp.item())


def gen_turn():
    fake = gen(noise(N))
    for p in critic.parameters():
        p.requires_grad_(False)
    loss = -critic(fake).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    old_fakes.append(fake.detach())
    scoreboard["gen"].append(loss.item())
    with torch.no_grad():
        for slow, fast in zip(artist.parameters(), gen.parameters()):
            slow.lerp_(fast, 0.05)


for r in range(ROUNDS):
    for _ in range(2):
        critic_turn()
    gen_turn()
    if r % 14 == 0:
        print(r, {k: round(v[-1], 3) for k, v in scoreboard.items()})

for row in artist(noise(1))[0, 0].tolist():
    print("".join("#" if v > 0 else "." for v in row))
