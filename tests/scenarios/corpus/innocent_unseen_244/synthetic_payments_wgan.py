# gradwatch-corpus: kind=none
"""Synthetic payment rows from a Wasserstein GAN with gradient penalty."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Deque, Dict

import torch
from torch import Tensor, autograd, nn


@dataclass
class GanConfig:
    columns: int = 10
    noise: int = 8
    width: int = 48
    batch: int = 64
    critic_steps: int = 3
    penalty: float = 10.0
    rounds: int = 60
    lr: float = 5e-4
    history: int = 20


class PaymentSource:
    def __init__(self, cfg: GanConfig, seed: int) -> None:
        self.gen = torch.Generator().manual_seed(seed)
        self.cfg = cfg
        self.mix = torch.randn(4, cfg.columns, generator=self.gen)

    def rows(self) -> Tensor:
        amount = torch.randn(self.cfg.batch, 4, generator=self.gen).exp().log1p()
        return amount @ self.mix


def mlp(n_in: int, width: int, n_out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(n_in, width),
        nn.LeakyReLU(0.2),
        nn.Linear(width, width),
        nn.Softplus(),
        nn.Linear(width, n_out),
    )


class PaymentGan:
    def __init__(self, cfg: GanConfig) -> None:
        self.cfg = cfg
        self.generator = mlp(cfg.noise, cfg.width, cfg.columns)
        self.critic = mlp(cfg.columns, cfg.width, 1)
        self.gen_opt = torch.optim.Adam(self.generator.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.history: Dict[str, Deque[Tensor]] = {
            name: deque(maxlen=cfg.history) for name in ("gap", "penalty", "generator")
        }

    def imagine(self) -> Tensor:
        return self.generator(torch.randn(self.cfg.batch, self.cfg.noise))

    def gradient_penalty(self, real: Tensor, fake: Tensor) -> Tensor:
        eps = torch.rand(real.shape[0], 1)
        between = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = self.critic(between)
        (slope,) = autograd.grad(score.sum(), between, create_graph=True)
        return (slope.norm(dim=1) - 1).pow(2).mean()

    def critic_round(self, real: Tensor) -> None:
        with torch.no_grad():
            fake = self.imagine()
        gap = self.critic(fake).mean() - self.critic(real).mean()
        penalty = self.gradient_penalty(real, fake)
        loss = gap + self.cfg.penalty * penalty
        self.critic_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.critic_opt.step()
        self.history["gap"].append(gap.detach())
        self.history["penalty"].append(penalty.detach())

    def generator_round(self) -> None:
        self.critic.requires_grad_(False)
        loss = -self.critic(self.imagine()).mean()
        self.gen_opt.zero_grad(set_to_none=True)
        loss.backward()
        self.gen_opt.step()
        self.critic.requires_grad_(True)
        self.history["generator"].append(loss.detach())

    def summary(self) -> str:
        return " ".join(f"{k}={torch.stack(list(v)).mean().item():+.4f}" for k, v in self.history.items())


if __name__ == "__main__":
    torch.manual_seed(8080)
    cfg = GanConfig()
    source = PaymentSource(cfg, seed=8081)
    gan = PaymentGan(cfg)
    for n in range(cfg.rounds):
        for _ in range(cfg.critic_steps):
            gan.critic_round(source.rows())
        gan.generator_round()
        if n % 10 == 9:
            print(f"round {n + 1} {gan.summary()}")
