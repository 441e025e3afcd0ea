# gradwatch-corpus: kind=second-backward
# first-bad: 1
# WGAN-GP on two rings with lazy regularisation (penalty evaluated every k critic steps, as in StyleGAN2)
import logging
import math

import torch
from torch import nn, optim

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("wgan")


def rings(n):
    r = torch.where(torch.rand(n) < 0.5, 1.0, 2.0) + 0.05 * torch.randn(n)
    t = 2 * math.pi * torch.rand(n)
    return torch.stack([r * t.cos(), r * t.sin()], 1)


def block(i, o):
    return nn.Sequential(nn.Linear(i, o), nn.LeakyReLU(0.2))


class LazyPenalty:
    def __init__(self, critic, every, weight):
        self.critic, self.every, self.weight = critic, every, weight
        self.calls = 0
        self.value = None

    def evaluate(self, real, fake):
        eps = torch.rand(len(real), 1)
        mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
        grad, = torch.autograd.grad(self.critic(mix).sum(), mix, create_graph=True)
        return self.weight * (grad.norm(2, dim=1) - 1).pow(2).mean()

    def __call__(self, real, fake):
        if self.calls % self.every == 0:
            self.value = self.evaluate(real, fake)  # <- culprit
        self.calls += 1
        return self.value  # <- culprit


class Trainer:
    def __init__(self, zdim=8, width=48, n_critic=5):
        self.zdim, self.n_critic = zdim, n_critic
        self.g = nn.Sequential(block(zdim, width), block(width, width), nn.Linear(width, 2))
        self.d = nn.Sequential(block(2, width), block(width, width), nn.Linear(width, 1))
        self.penalty = LazyPenalty(self.d, every=4, weight=10.0)
        self.og = optim.Adam(self.g.parameters(), 2e-4, betas=(0.0, 0.9))
        self.od = optim.Adam(self.d.parameters(), 2e-4, betas=(0.0, 0.9))
        self.skipped = 0

    def sample(self, n):
        return self.g(torch.randn(n, self.zdim))

    def critic_step(self, real):
        with torch.no_grad():
            fake = self.sample(len(real))
        w = self.d(real).mean() - self.d(fake).mean()
        loss = self.penalty(real, fake) - w  # <- culprit
        self.od.zero_grad()
        loss.backward()
        self.od.step()
        return w.item()

    def gen_step(self, n):
        loss = -self.d(self.sample(n)).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        return loss.item()

    def run(self, steps, batch=64):
        w = g = float("nan")
        for i in range(steps):
            try:
                w = self.critic_step(rings(batch))
            except RuntimeError as err:
                # odd batches happen, keep the job alive
                self.skipped += 1
                log.debug("batch %d skipped: %s", i, err)
                continue
            if (i // 4 + 1) % self.n_critic == 0:
                g = self.gen_step(batch)
            if i % 40 == 0:
                log.info("%4d  W=%.3f  G=%.3f  skipped=%d", i, w, g, self.skipped)


if __name__ == "__main__":
    torch.manual_seed(8)
    torch.set_num_threads(1)
    Trainer().run(240)
