# gradwatch-corpus: kind=none
import math

import torch

from .nets import Critic, Generator, SamplePool

torch.set_num_threads(1)
torch.manual_seed(77)
N_CRITIC = 3
BATCH = 48


def ring(n):
    k = torch.randint(0, 8, (n,)) * (math.pi / 4)
    return torch.stack([k.cos(), k.sin()], 1) + 0.03 * torch.randn(n, 2)


G, D = Generator(), Critic()
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.0, 0.9))
pool = SamplePool(2000)
log = {"critic": [], "gp": [], "gen": []}


def critic_step():
    real = ring(BATCH)
    fake = pool.mix(G(BATCH).detach())
    wdist = D(fake).mean() - D(real).mean()
    gp = D.penalty(real, fake)
    opt_d.zero_grad()
    wdist.backward(retain_graph=False)
    (10 * gp).backward()
    opt_d.step()
    log["critic"].append(-wdist.detach())
    log["gp"].append(gp.detach())


def generator_step():
    for p in D.parameters():
        p.requires_grad_(False)
    fake = G(BATCH)
    adv = -D(fake).mean()
    spread = -fake.std(0).mean()
    opt_g.zero_grad()
    adv.backward(retain_graph=True)
    (0.01 * spread).backward()
    opt_g.step()
    for p in D.parameters():
        p.requires_grad_(True)
    log["gen"].append(adv.detach())


for it in range(120):
    for _ in range(N_CRITIC):
        critic_step()
    generator_step()
    if it % 20 == 0:
        line = " ".join(f"{k} {torch.stack(v[-20:]).mean():.3f}" for k, v in log.items())
        print(f"{it:4d} pool {len(pool.items)} {line}")
