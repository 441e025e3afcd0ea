from __future__ import annotations

import copy
from collections import defaultdict
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Schedule:
    critic_steps: int
    penalty: float
    ema: float = 0.98


class AdversarialTrainer:
    def __init__(self, gen: nn.Module, critic: nn.Module, schedule: Schedule) -> None:
        self.gen = gen
        self.critic = critic
        self.schedule = schedule
        self.averaged = copy.deepcopy(gen).requires_grad_(False)
        self.opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.totals: dict[str, float] = defaultdict(float)
        self.counts: dict[str, int] = defaultdict(int)

    def note(self, **terms: Tensor) -> None:
        for k, v in terms.items():
            self.totals[k] += v.item()
            self.counts[k] += 1

    def report(self) -> str:
        text = " ".join(f"{k}={self.totals[k] / self.counts[k]:+.3f}" for k in self.totals)
        self.totals.clear()
        self.counts.clear()
        return text

    def gradient_penalty(self, real: Tensor, fake: Tensor) -> Tensor:
        mix = torch.rand(len(real), 1)
        x = (mix * real + (1 - mix) * fake).requires_grad_()
        (g,) = torch.autograd.grad(self.critic(x).sum(), x, create_graph=True)
        return ((g.norm(dim=-1) - 1) ** 2).mean()

    def round(self, real: Tensor) -> None:
        fake = self.gen(torch.randn(len(real), self.gen.latent))
        frozen = fake.detach()
        for _ in range(self.schedule.critic_steps):
            gap = self.critic(frozen).mean() - self.critic(real).mean()
            gp = self.gradient_penalty(real, frozen)
            self.opt_c.zero_grad()
            (gap + self.schedule.penalty * gp).backward()
            self.opt_c.step()
            self.note(gap=gap, gp=gp)
        self.critic.requires_grad_(False)
        loss = -self.critic(fake).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)
        self.note(gen=loss)
        self._average()

    @torch.no_grad()
    def _average(self) -> None:
        for a, p in zip(self.averaged.parameters(), self.gen.parameters()):
            a.mul_(self.schedule.ema).add_(p, alpha=1 - self.schedule.ema)

    @torch.no_grad()
    def sample(self, n: int) -> Tensor:
        return self.averaged(torch.randn(n, self.gen.latent))
