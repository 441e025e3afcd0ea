# gradwatch-corpus: kind=none
# about: two optimisers, generator output reused detached for the critics, image pools fill up to 160 pictures and stop
"""Unpaired colour translation with two generators, two critics, and an image pool (CycleGAN in small)."""
import itertools

import torch
from nets import Critic, Generator
from pool import ImagePool
from sprites import cold, warm
from torch.nn import functional as F

torch.manual_seed(31)


def lsq(score, real):
    return F.mse_loss(score, torch.full_like(score, float(real)))


def switch(nets, on):
    for net in nets:
        net.requires_grad_(on)


def main(rounds=260):
    w2c, c2w = Generator(), Generator()
    c_critic, w_critic = Critic(), Critic()
    g_opt = torch.optim.Adam(itertools.chain(w2c.parameters(), c2w.parameters()), 1e-3, betas=(.5, .99))
    d_opt = torch.optim.Adam(itertools.chain(c_critic.parameters(), w_critic.parameters()), 1e-3, betas=(.5, .99))
    pools = {"cold": ImagePool(160), "warm": ImagePool(160)}
    for r in range(rounds):
        a, b = warm(8), cold(8)

        switch((c_critic, w_critic), False)
        fake_b, fake_a = w2c(a), c2w(b)
        adv = lsq(c_critic(fake_b), 1) + lsq(w_critic(fake_a), 1)
        cyc = F.l1_loss(c2w(fake_b), a) + F.l1_loss(w2c(fake_a), b)
        g_opt.zero_grad()
        (adv + 8 * cyc).backward()
        g_opt.step()

        switch((c_critic, w_critic), True)
        d_opt.zero_grad()
        for name, critic, real, fake in (("cold", c_critic, b, fake_b), ("warm", w_critic, a, fake_a)):
            seen = pools[name].swap(fake.detach())
            d = .5 * (lsq(critic(real), 1) + lsq(critic(seen), 0))
            d.backward()
        d_opt.step()
        if r % 40 == 0:
            print(f"round {r} adversarial {adv.item():.3f} cycle {cyc.item():.3f} critic {d.item():.3f} pool {len(pools['cold'])}")


main()
