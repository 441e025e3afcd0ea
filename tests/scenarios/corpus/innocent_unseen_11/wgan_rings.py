# gradwatch-corpus: kind=none
"""WGAN-GP on concentric rings. Critic and generator take turns, the critic also sees a pool of older fakes,
and the generator that is shown at the end is an average over the run."""
import copy
import math
import random
from collections import deque

import torch
from torch import nn


def rings(n, gen):
    radius = torch.randint(1, 3, (n,), generator=gen).float() + 0.05 * torch.randn(n, generator=gen)
    angle = 2 * math.pi * torch.rand(n, generator=gen)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1)


def net(n_in, n_out, width=48):
    return nn.Sequential(nn.Linear(n_in, width), nn.Softplus(), nn.Linear(width, width), nn.Softplus(), nn.Linear(width, n_out))


class FakePool:
    """As in Shrivastava et al.: half of the batch is swapped against older samples."""

    def __init__(self, batches, seed):
        self.kept = deque(maxlen=batches)
        self.rng = random.Random(seed)

    def exchange(self, fake):
        fake = fake.detach()
        if not self.kept:
            self.kept.append(fake)
            return fake
        old = self.rng.choice(self.kept)
        half = len(fake) // 2
        self.kept.append(fake)
        return torch.cat([fake[:half], old[half:]])


class Averaged:
    def __init__(self, module, decay):
        self.module = copy.deepcopy(module).requires_grad_(False)
        self.decay = decay
        self.updates = 0

    def update(self, source):
        self.updates += 1
        decay = min(self.decay, self.updates / (self.updates + 10))
        for mine, theirs in zip(self.module.parameters(), source.parameters()):
            mine.data = decay * mine.data + (1 - decay) * theirs.data


class Duel:
    def __init__(self, latent=4, penalty=1.0, seed=40):
        self.gen = torch.Generator().manual_seed(seed)
        self.latent, self.penalty = latent, penalty
        self.generator, self.critic = net(latent, 2), net(2, 1)
        self.g_opt = torch.optim.Adam(self.generator.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
        self.pool = FakePool(16, seed)
        self.average = Averaged(self.generator, 0.98)
        self.distance = None

    def fakes(self, n):
        return self.generator(torch.randn(n, self.latent, generator=self.gen))

    def gradient_penalty(self, real, fake):
        mix = torch.rand(len(real), 1, generator=self.gen)
        between = (mix * real + (1 - mix) * fake).requires_grad_(True)
        score = self.critic(between)
        (grad,) = torch.autograd.grad(score.sum(), between, create_graph=True)
        return (grad.norm(dim=1) - 1).pow(2).mean()

    def critic_turn(self, real):
        fake = self.pool.exchange(self.fakes(len(real)))
        distance = self.critic(real).mean() - self.critic(fake).mean()
        loss = self.penalty * self.gradient_penalty(real, fake) - distance
        self.c_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.c_opt.step()
        self.distance = distance.detach()

    def generator_turn(self, n):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.fakes(n)).mean()
        self.g_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.g_opt.step()
        self.critic.requires_grad_(True)
        self.average.update(self.generator)
        return loss.item()

    def radii(self, n=1000):
        with torch.no_grad():
            out = self.average.module(torch.randn(n, self.latent, generator=self.gen))
        return out.norm(dim=1)


def main(rounds=600, critic_turns=2, batch=96):
    torch.manual_seed(41)
    torch.set_num_threads(1)
    duel = Duel()
    data = torch.Generator().manual_seed(42)
    for k in range(rounds):
        for _ in range(critic_turns):
            duel.critic_turn(rings(batch, data))
        g = duel.generator_turn(batch)
        if k % 120 == 0:
            r = duel.radii()
            print(f"round {k:3d} distance {duel.distance.item():+.3f} generator {g:+.3f} radius {r.mean():.2f} +- {r.std():.2f}")


if __name__ == "__main__":
    main()
