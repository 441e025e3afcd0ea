# gradwatch-corpus: kind=none
"""Defect maps of silicon wafers with WGAN-GP, two critic updates per generator update, and a pool of older fakes."""
import torch

from nets import WaferCritic, WaferGenerator
from penalty import gradient_penalty
from pool import FakePool
from wafers import defect_maps

torch.manual_seed(300)
ROUNDS, BATCH, CRITIC_STEPS = 220, 8, 2

gen, critic = WaferGenerator(), WaferCritic()
gen_opt = torch.optim.Adam(gen.parameters(), lr=5e-4, betas=(0.0, 0.9))
critic_opt = torch.optim.Adam(critic.parameters(), lr=5e-4, betas=(0.0, 0.9))
pool = FakePool(capacity=128, seed=1)
source = torch.Generator().manual_seed(2)


def critic_update():
    real = defect_maps(BATCH, source)
    with torch.no_grad():
        fake = gen.sample(BATCH)
    fake = pool.exchange(fake)
    gap = critic(fake).mean() - critic(real).mean()
    loss = gap + 10.0 * gradient_penalty(critic, real, fake)
    critic_opt.zero_grad()
    loss.backward()
    critic_opt.step()
    return -gap.item()


def generator_update():
    critic.requires_grad_(False)
    try:
        loss = -critic(gen.sample(BATCH)).mean()
        gen_opt.zero_grad()
        loss.backward()
        gen_opt.step()
    finally:
        critic.requires_grad_(True)
    return loss.item()


history = []
for round_ in range(ROUNDS):
    distance = sum(critic_update() for _ in range(CRITIC_STEPS)) / CRITIC_STEPS
    history.append((distance, generator_update()))
    if round_ % 55 == 54:
        last = history[-20:]
        print(f"round {round_ + 1}: distance {sum(d for d, _ in last) / len(last):+.4f}, pool {len(pool)}")
