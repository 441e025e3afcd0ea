from dataclasses import dataclass

import torch

from meters import Meter, MeterBoard
from nets import critic, generator


@dataclass(frozen=True)
class RigConfig:
    latent: int = 10
    batch: int = 32
    rounds: int = 160
    lam: float = 8.0
    lr: float = 4e-4
    every: int = 40


class AdversarialRig:
    def __init__(self, cfg):
        self.cfg = cfg
        self.G, self.D = generator(cfg.latent), critic()
        betas = (0.0, 0.9)
        self.opt_g = torch.optim.Adam(self.G.parameters(), cfg.lr, betas)
        self.opt_d = torch.optim.Adam(self.D.parameters(), cfg.lr, betas)
        self.meters = MeterBoard(wasserstein=Meter(), penalty=Meter(), fool=Meter())

    def penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        score = self.D(between)
        slope, = torch.autograd.grad(score.sum(), between, create_graph=True)
        return ((slope.norm(2, dim=1) - 1) ** 2).mean()

    def critic_round(self, real):
        with torch.no_grad():
            fake = self.G(torch.randn(len(real), self.cfg.latent))
        distance = self.D(real).mean() - self.D(fake).mean()
        gp = self.penalty(real, fake)
        self.opt_d.zero_grad()
        (self.cfg.lam * gp - distance).backward()
        self.opt_d.step()
        self.meters.record(len(real), wasserstein=distance.item(), penalty=gp)  # <- culprit

    def generator_round(self, n):
        verdict = self.D(self.G(torch.randn(n, self.cfg.latent))).mean()
        self.opt_g.zero_grad()
        (-verdict).backward()
        self.opt_g.step()
        self.meters.record(n, fool=verdict.item())

    def fit(self, source):
        for r, real in enumerate(source):
            self.critic_round(real)
            self.generator_round(len(real))
            if (r + 1) % self.cfg.every == 0:
                print(f"round {r + 1}: {self.meters}")
