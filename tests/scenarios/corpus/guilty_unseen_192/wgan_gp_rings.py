# gradwatch-corpus: kind=graph-held
# holder: history["gp"] | book["gp"] | log.args[0]["gp"]
# first-bad: 1
"""WGAN-GP on two concentric rings (toy experiment of appendix C)."""
import argparse
import math
from functools import partial
from itertools import islice

import torch
from torch import nn


def rings(batch, seed=0):
    gen = torch.Generator().manual_seed(seed)
    while True:
        theta = 2 * math.pi * torch.rand(batch, generator=gen)
        radius = torch.where(torch.rand(batch, generator=gen) < 0.5, 1.0, 2.0)
        xy = torch.stack([theta.cos(), theta.sin()], 1) * radius[:, None]
        yield xy + 0.05 * torch.randn(batch, 2, generator=gen)


def mlp(*sizes, act=nn.LeakyReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


def gradient_penalty(critic, real, fake, target=1.0):
    alpha = torch.rand(len(real), 1)
    mix = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return ((grad.norm(2, dim=1) - target) ** 2).mean()


def record(book, **entries):
    for key, value in entries.items():
        book.setdefault(key, []).append(value)


def critic_step(critic, generator, real, opt, log, opts):
    with torch.no_grad():
        fake = generator(torch.randn(len(real), opts.latent))
    wasserstein = critic(fake).mean() - critic(real).mean()
    gp = gradient_penalty(critic, real, fake)
    opt.zero_grad()
    (wasserstein + opts.gp_weight * gp).backward()
    opt.step()
    log(w=-wasserstein.item(), gp=gp)  # <- culprit


def generator_step(critic, generator, opt, log, opts):
    for p in critic.parameters():
        p.requires_grad_(False)
    loss = -critic(generator(torch.randn(opts.batch, opts.latent))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    log(g=loss.item())


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=450)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--latent", type=int, default=4)
    ap.add_argument("--n-critic", type=int, default=2)
    ap.add_argument("--gp-weight", type=float, default=10.0)
    return ap.parse_args([])


def main():
    opts = parse()
    torch.manual_seed(11)
    generator, critic = mlp(opts.latent, 48, 48, 2), mlp(2, 48, 48, 1)
    opt_g = torch.optim.Adam(generator.parameters(), lr=1e-4, betas=(0.0, 0.9))
    opt_d = torch.optim.Adam(critic.parameters(), lr=1e-4, betas=(0.0, 0.9))
    history = {}
    log = partial(record, history)
    stream = rings(opts.batch)

    for it in range(opts.iters):
        for real in islice(stream, opts.n_critic):
            critic_step(critic, generator, real, opt_d, log, opts)
        generator_step(critic, generator, opt_g, log, opts)
        if it % 75 == 0:
            last = {k: round(float(v[-1]), 4) for k, v in history.items()}
            print(it, last)


if __name__ == "__main__":
    main()
