# gradwatch-corpus: kind=none
"""VQGAN on 1-D textures: EMA codebook with dead-code restarts, adaptive adversarial weight, history pool."""
import random

import torch

from losses import VQLossWithDiscriminator
from modules import Discriminator, Generator
from pool import SamplePool


def textures(n, length=48):
    t = torch.linspace(0, 1, length)
    f = torch.randint(2, 7, (n, 1)).float()
    return torch.sign(torch.sin(6.283 * (f * t + torch.rand(n, 1)))) * (0.5 + 0.5 * t)


def main(steps=350, log=70):
    torch.set_num_threads(1)
    torch.manual_seed(77)
    random.seed(77)
    gen, disc = Generator(48, 64, 12, 32), Discriminator(48)
    crit = VQLossWithDiscriminator(disc, start=80)
    g_opt = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.5, 0.9))
    d_opt = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.9))
    pool = SamplePool(size=128)
    track = []
    for step in range(steps):
        x = textures(32)
        rec, commit, stats = gen(x)
        loss, parts = crit.generator(x, rec, commit, gen.last_layer, step)
        g_opt.zero_grad()
        loss.backward()
        g_opt.step()

        fake = pool.query(rec)
        d_loss = crit.discriminator(x, fake, step)
        d_opt.zero_grad()
        d_loss.backward()
        d_opt.step()

        track.append((step, parts["rec"], parts["weight"], d_loss.item(), stats["ppl"]))
        if (step + 1) % log == 0:
            recent = torch.tensor(track[-log:]).mean(0)
            print("step {} rec {:.3f} w {:.3f} d {:.3f} ppl {:.1f}".format(step + 1, *recent[1:].tolist()))


if __name__ == "__main__":
    main()
