# gradwatch-corpus: kind=none
"""WGAN-GP on points of two rings. Three critic steps per generator step, a pool
of earlier fakes, and an averaged copy of the generator for sampling."""
import copy
from collections import deque

import torch
import torch.nn as nn

from losses import critic_loss, generator_loss, gradient_penalty
from utils import FakePool, RingData, freeze

torch.manual_seed(77)

LATENT, BATCH, N_CRITIC, STEPS = 4, 48, 3, 200


def mlp(n_in, n_out, width=48):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.LeakyReLU(0.2),
        nn.Linear(width, width), nn.LeakyReLU(0.2),
        nn.Linear(width, n_out),
    )


class Averaged:
    def __init__(self, net, decay):
        self.net = copy.deepcopy(net).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def follow(self, net):
        for a, b in zip(self.net.parameters(), net.parameters()):
            a.lerp_(b, 1 - self.decay)


def train_critic(critic, generator, optimizer, data, pool, gp_weight):
    real = data.sample(BATCH)
    with torch.no_grad():
        fake = pool.mix(generator(torch.randn(BATCH, LATENT)))
    penalty = gradient_penalty(critic, real, fake)
    wdist = critic_loss(critic(real), critic(fake))
    optimizer.zero_grad()
    (wdist + gp_weight * penalty).backward()
    optimizer.step()
    return -wdist.item(), penalty.item()


def train_generator(critic, generator, optimizer):
    with freeze(critic):
        loss = generator_loss(critic(generator(torch.randn(BATCH, LATENT))))
        optimizer.zero_grad()
        loss.backward()
    optimizer.step()
    return loss.item()


def main():
    generator, critic = mlp(LATENT, 2), mlp(2, 1)
    average = Averaged(generator, 0.98)
    opt_g = torch.optim.Adam(generator.parameters(), lr=1e-3, betas=(0.5, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
    data, pool = RingData(radii=(1.0, 2.0)), FakePool(256)
    window = deque(maxlen=30)

    for step in range(STEPS):
        for _ in range(N_CRITIC):
            window.append(train_critic(critic, generator, opt_c, data, pool, gp_weight=10.0))
        g = train_generator(critic, generator, opt_g)
        average.follow(generator)
        if step % 50 == 0:
            w, p = (sum(c) / len(window) for c in zip(*window))
            print("step %d  W %.3f  gp %.3f  G %.3f" % (step, w, p, g))

    with torch.no_grad():
        points = average.net(torch.randn(1000, LATENT))
    r = points.norm(dim=1)
    near = (((r - 1).abs() < 0.25) | ((r - 2).abs() < 0.25)).float().mean().item()
    print("share of points near a ring: %.2f" % near)


if __name__ == "__main__":
    main()
