# gradwatch-corpus: kind=graph-held
# holder: self.pending | metrics.pending | self.metrics.pending | trainer.metrics.pending
# first-bad: 1
# notice: 8
"""GAN on a ring of Gaussians.

Scalars are not read inside the step (no device sync in the hot path): the step
registers small thunks with a metrics sheet, and the sheet evaluates the lot when
the run's table is written.
"""
import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn


class RingSampler:
    def __init__(self, modes, radius, noise, seed):
        self.modes, self.radius, self.noise = modes, radius, noise
        self.gen = torch.Generator().manual_seed(seed)

    def __call__(self, n):
        k = torch.randint(self.modes, (n,), generator=self.gen)
        angle = 2 * math.pi * k / self.modes
        centers = self.radius * torch.stack([angle.cos(), angle.sin()], -1)
        return centers + self.noise * torch.randn(n, 2, generator=self.gen)


def net(sizes, act):
    mods = []
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        mods.append(nn.Linear(a, b))
        if i < len(sizes) - 2:
            mods.append(act())
    return nn.Sequential(*mods)


class MetricSheet:
    """Rows of named thunks, evaluated by `collect`."""

    def __init__(self):
        self.pending = []

    def register(self, step, **thunks):
        self.pending.append((step, thunks))

    def collect(self):
        table = []
        for step, thunks in self.pending:
            table.append({"step": step, **{k: fn() for k, fn in thunks.items()}})
        self.pending.clear()
        return table


class MeteredMixin:
    """Gives a trainer `meter(step, name=tensor, ...)`."""

    def meter(self, step, **values):
        thunks = {name: (lambda v=value: round(v.item(), 4)) for name, value in values.items()}  # <- culprit
        self.metrics.register(step, **thunks)  # <- culprit


class RingGan(MeteredMixin):
    def __init__(self, sampler, metrics, latent=6, lr=1e-3, batch=64):
        self.sampler, self.metrics = sampler, metrics
        self.latent, self.batch = latent, batch
        self.generator = net([latent, 48, 48, 2], nn.ReLU)
        self.critic = net([2, 48, 48, 1], lambda: nn.LeakyReLU(0.2))
        self.g_opt = torch.optim.Adam(self.generator.parameters(), lr=lr, betas=(0.5, 0.99))
        self.d_opt = torch.optim.Adam(self.critic.parameters(), lr=lr, betas=(0.5, 0.99))

    def noise(self):
        return torch.randn(self.batch, self.latent)

    def critic_loss(self):
        with torch.no_grad():
            fake = self.generator(self.noise())
        real = self.sampler(self.batch)
        return F.softplus(-self.critic(real)).mean() + F.softplus(self.critic(fake)).mean()

    def generator_loss(self):
        fake = self.generator(self.noise())
        return F.softplus(-self.critic(fake)).mean(), fake.std(0).mean()

    def step(self, step):
        d_loss = self.critic_loss()
        self.d_opt.zero_grad()
        d_loss.backward()
        self.d_opt.step()

        g_loss, spread = self.generator_loss()
        self.g_opt.zero_grad()
        g_loss.backward()
        self.g_opt.step()
        self.meter(step, d=d_loss, g=g_loss, spread=spread)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=110)
    ap.add_argument("--modes", type=int, default=8)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(13)
    metrics = MetricSheet()
    trainer = RingGan(RingSampler(args.modes, 2.0, 0.05, 14), metrics)
    for step in range(args.steps):
        trainer.step(step)
    for row in metrics.collect()[::20]:
        print(row)


if __name__ == "__main__":
    main()
