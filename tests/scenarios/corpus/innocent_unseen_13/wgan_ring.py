# gradwatch-corpus: kind=none
"""WGAN-GP on a ring of Gaussians, with a pool of earlier fakes for the critic, an averaged generator
for the samples, and a step that is skipped when the penalty explodes."""
import copy
import math
import random

import torch
from torch import nn


class PenaltyTooLarge(ArithmeticError):
    def __init__(self, value):
        super().__init__(f"gradient penalty {value:.1f}")
        self.value = value


class Ring:
    def __init__(self, modes=8, std=0.05, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        angles = 2 * math.pi * torch.arange(modes) / modes
        self.centres = torch.stack([angles.cos(), angles.sin()], 1)
        self.std = std

    def sample(self, n):
        pick = torch.randint(len(self.centres), (n,), generator=self.g)
        return self.centres[pick] + self.std * torch.randn(n, 2, generator=self.g)


class FakePool:
    """Half of the critic's fakes are from the past."""

    def __init__(self, size):
        self.size, self.points = size, []

    def exchange(self, fakes):
        out = []
        for f in fakes.detach().clone().unbind():
            if len(self.points) < self.size:
                self.points.append(f)
                out.append(f)
            elif random.random() < 0.5:
                i = random.randrange(self.size)
                out.append(self.points[i])
                self.points[i] = f
            else:
                out.append(f)
        return torch.stack(out)


def mlp(*dims):
    layers = []
    for a, b in zip(dims, dims[1:]):
        layers += [nn.Linear(a, b), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


def gradient_penalty(critic, real, fake, ceiling=50.0):
    mix = torch.rand(len(real), 1)
    x = (mix * real + (1 - mix) * fake).requires_grad_()
    grad, = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    penalty = (grad.norm(dim=1) - 1).square().mean()
    if penalty.item() > ceiling:
        raise PenaltyTooLarge(penalty.item())
    return penalty


class WGAN:
    def __init__(self, latent=4, n_critic=2, weight=5.0):
        self.latent, self.n_critic, self.weight = latent, n_critic, weight
        self.generator, self.critic = mlp(latent, 48, 48, 2), mlp(2, 48, 48, 1)
        self.averaged = copy.deepcopy(self.generator).requires_grad_(False)
        self.g_opt = torch.optim.Adam(self.generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.pool = FakePool(256)
        self.skips = 0
        self.last_skip = None

    def fakes(self, n):
        return self.generator(torch.randn(n, self.latent))

    def critic_step(self, real):
        with torch.no_grad():
            fresh = self.fakes(len(real))
        fake = self.pool.exchange(fresh)
        try:
            penalty = gradient_penalty(self.critic, real, fake)
        except PenaltyTooLarge as err:
            self.skips += 1
            self.last_skip = str(err)
            return None
        distance = self.critic(real).mean() - self.critic(fake).mean()
        loss = -distance + self.weight * penalty
        self.c_opt.zero_grad()
        loss.backward()
        self.c_opt.step()
        return distance.item()

    def generator_step(self, n):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.fakes(n)).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        self.critic.requires_grad_(True)
        with torch.no_grad():
            for a, p in zip(self.averaged.parameters(), self.generator.parameters()):
                a.copy_(0.99 * a + 0.01 * p)

    @torch.no_grad()
    def coverage(self, centres, n=400):
        points = self.averaged(torch.randn(n, self.latent))
        near = torch.cdist(points, centres).min(1)
        return len(near.indices[near.values < 0.25].unique())


def main(iterations=300):
    random.seed(14)
    torch.manual_seed(14)
    ring, gan = Ring(seed=14), WGAN()
    curve = []
    for it in range(iterations):
        for _ in range(gan.n_critic):
            distance = gan.critic_step(ring.sample(48))
            if distance is not None:
                curve.append(distance)
        gan.generator_step(48)
        if it % 60 == 0:
            print(f"{it:4d} distance {sum(curve[-20:]) / len(curve[-20:]):.3f} "
                  f"modes {gan.coverage(ring.centres)}/8 skipped {gan.skips} {gan.last_skip or ''}")


if __name__ == "__main__":
    main()
