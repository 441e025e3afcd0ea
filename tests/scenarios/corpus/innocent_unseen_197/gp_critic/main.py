# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch

from networks import Critic, Generator
from phases import FakePool, History, frozen


@dataclass
class GanConfig:
    steps: int = 420
    batch: int = 24
    latent: int = 4
    gp: float = 5.0
    lr: float = 2e-3


class Wasserstein:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = Generator(cfg.latent, 2)
        self.critic = Critic(2)
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.pool = FakePool(20)
        self.history = History()
        self.fake = None

    def critic_phase(self, real):
        self.fake = self.gen.sample(len(real))
        old = self.pool.exchange(self.fake)
        fake = self.fake.detach()
        score = self.critic(fake).mean() + 0.5 * self.critic(old).mean() - 1.5 * self.critic(real).mean()
        gap = self.critic.lipschitz_gap(real, fake)
        self.opt_c.zero_grad()
        (score + self.cfg.gp * gap).backward()
        self.opt_c.step()
        self.history.extend(score=score, gap=gap)

    def generator_phase(self):
        with frozen(self.critic):
            loss = -self.critic(self.fake).mean()
            self.opt_g.zero_grad()
            loss.backward()
        self.opt_g.step()
        self.history.extend(generator=loss)

    def step(self, real):
        self.critic_phase(real)
        self.generator_phase()


def spiral(n, gen):
    t = torch.rand(n, generator=gen) * 6
    base = torch.stack([t * t.cos(), t * t.sin()], -1) / 4
    return base + 0.05 * torch.randn(n, 2, generator=gen)


if __name__ == "__main__":
    torch.manual_seed(15)
    cfg = GanConfig()
    gen = torch.Generator().manual_seed(151)
    model = Wasserstein(cfg)
    for step in range(cfg.steps):
        model.step(spiral(cfg.batch, gen))
        if step % 140 == 0:
            print(step, *(f"{k}={model.history.tail(k):.4f}" for k in ("score", "gap", "generator")))
