# gradwatch-corpus: kind=none
"""WGAN-GP for daily electricity load profiles, with generator averaging and a bounded loss window."""
from __future__ import annotations

import copy
import math
from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import Iterator

import torch
from torch import Tensor, nn
from torch.nn.utils.parametrizations import weight_norm


@dataclass
class GANConfig:
    hours: int = 24
    latent: int = 6
    batch: int = 16
    rounds: int = 300
    critic_per_gen: int = 1
    gp_weight: float = 5.0
    ema: float = 0.98
    seed: int = 31


class AveragedModule(nn.Module):
    """Holds an exponential average of another module's parameters."""

    def __init__(self, source: nn.Module, decay: float) -> None:
        super().__init__()
        self.shadow = copy.deepcopy(source).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, source: nn.Module) -> None:
        for s, p in zip(self.shadow.parameters(), source.parameters()):
            s.lerp_(p, 1 - self.decay)

    def forward(self, *args: Tensor) -> Tensor:
        return self.shadow(*args)


class GANTrainer:
    def __init__(self, cfg: GANConfig) -> None:
        self.cfg = cfg
        self.gen = nn.Sequential(nn.Linear(cfg.latent, 32), nn.SiLU(), nn.Linear(32, cfg.hours))
        self.critic = nn.Sequential(
            weight_norm(nn.Linear(cfg.hours, 32)), nn.Tanh(), weight_norm(nn.Linear(32, 1))
        )
        self.average = AveragedModule(self.gen, cfg.ema)
        self.recent_w: deque[Tensor] = deque(maxlen=10)
        self.recent_gp: deque[Tensor] = deque(maxlen=10)
        self.curve: list[float] = []

    @cached_property
    def opts(self) -> dict[str, torch.optim.Optimizer]:
        return {
            "critic": torch.optim.Adam(self.critic.parameters(), 2e-3, betas=(0.5, 0.9)),
            "gen": torch.optim.Adam(self.gen.parameters(), 1e-3, betas=(0.5, 0.9)),
        }

    def real(self) -> Iterator[Tensor]:
        hours = torch.arange(self.cfg.hours) * (2 * math.pi / 24)
        while True:
            shift = torch.randn(self.cfg.batch, 1) * 0.3
            yield torch.sin(hours + shift) + 0.4 * torch.cos(2 * hours) + 0.1 * torch.randn(self.cfg.batch, self.cfg.hours)

    def fake(self) -> Tensor:
        return self.gen(torch.randn(self.cfg.batch, self.cfg.latent))

    def penalty(self, real: Tensor, fake: Tensor) -> Tensor:
        eps = torch.rand(len(real), 1)
        mixed = (eps * real + (1 - eps) * fake).requires_grad_()
        (grad,) = torch.autograd.grad(self.critic(mixed).sum(), mixed, create_graph=True)
        return (grad.norm(dim=1) - 1).pow(2).mean()

    def critic_step(self, real: Tensor) -> None:
        fake = self.fake().detach()
        gap = self.critic(fake).mean() - self.critic(real).mean()
        gp = self.penalty(real, fake)
        opt = self.opts["critic"]
        opt.zero_grad()
        (gap + self.cfg.gp_weight * gp).backward()
        opt.step()
        self.recent_w.append(-gap)
        self.recent_gp.append(gp)

    def gen_step(self) -> None:
        opt = self.opts["gen"]
        loss = -self.critic(self.fake()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        self.average.update(self.gen)

    def fit(self) -> None:
        data = self.real()
        for r in range(self.cfg.rounds):
            for _ in range(self.cfg.critic_per_gen):
                self.critic_step(next(data))
            self.gen_step()
            with torch.no_grad():
                self.curve.append(torch.stack(list(self.recent_w)).mean().item())
            if r % 100 == 0:
                gp = sum(g.item() for g in self.recent_gp) / len(self.recent_gp)
                print(f"round {r} w {self.curve[-1]:.3f} gp {gp:.3f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    config = GANConfig()
    torch.manual_seed(config.seed)
    GANTrainer(config).fit()
