# gradwatch-corpus: kind=none
"""Adversarial rainfall profile generator with gradient penalty and a pool of past samples."""
import random

import torch
from torch import nn


class SamplePool:
    def __init__(self, size=30):
        self.size = size
        self.items = []

    def exchange(self, batch):
        self.items.append(batch.detach())
        if len(self.items) > self.size:
            self.items.pop(random.randrange(len(self.items)))
        return random.choice(self.items)


class Rainfall:
    def __init__(self, hours=16, seed=81):
        self.gen = torch.Generator().manual_seed(seed)
        self.t = torch.linspace(0, 1, hours)

    def draw(self, n):
        peak = torch.rand(n, 1, generator=self.gen)
        return (-((self.t - peak) / 0.2) ** 2).exp()


class AdversarialTask:
    def __init__(self, hours=16):
        self.gen = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, hours), nn.Sigmoid())
        self.critic = nn.Sequential(nn.Linear(hours, 32), nn.SiLU(), nn.Linear(32, 1))
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.pool = SamplePool()
        self.penalties = []

    def _penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        point = (mix * real + (1 - mix) * fake).requires_grad_()
        slope, = torch.autograd.grad(self.critic(point).sum(), point, create_graph=True)
        value = (slope.norm(dim=1) - 1).square().mean()
        self.penalties.append(value.item())
        return value

    def critic_step(self, real, fake):
        old = self.pool.exchange(fake)
        loss = self.critic(old).mean() - self.critic(real).mean() + 10 * self._penalty(real, old)
        self.opt_c.zero_grad()
        loss.backward()
        self.opt_c.step()
        return loss.item()

    def generator_step(self, fake):
        loss = -self.critic(fake).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()

    def step(self, real):
        fake = self.gen(torch.randn(len(real), 4))
        value = self.critic_step(real, fake)
        self.generator_step(fake)
        return value


def main():
    torch.manual_seed(82)
    random.seed(83)
    data, task = Rainfall(), AdversarialTask()
    for i in range(420):
        value = task.step(data.draw(32))
        if i % 105 == 0:
            print(i, round(value, 4), round(task.penalties[-1], 4))


if __name__ == "__main__":
    main()
