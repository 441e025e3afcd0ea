# gradwatch-corpus: kind=none
"""WGAN-GP producing mass-spectrometry-like peak vectors."""
from __future__ import annotations

import contextlib
from dataclasses import dataclass
from functools import partial
from typing import Iterator

import torch
from torch import Tensor, nn


@dataclass
class GanConfig:
    bins: int = 80
    noise: int = 12
    batch: int = 48
    iterations: int = 70
    critic_steps: int = 2
    penalty: float = 10.0
    lr: float = 2e-4


def mlp(inputs: int, outputs: int, hidden: int = 96) -> nn.Sequential:
    act = partial(nn.LeakyReLU, 0.2)
    return nn.Sequential(nn.Linear(inputs, hidden), act(), nn.Linear(hidden, hidden), act(), nn.Linear(hidden, outputs))


@contextlib.contextmanager
def frozen(module: nn.Module) -> Iterator[None]:
    for p in module.parameters():
        p.requires_grad_(False)
    try:
        yield
    finally:
        for p in module.parameters():
            p.requires_grad_(True)


def gradient_penalty(critic: nn.Module, real: Tensor, fake: Tensor) -> Tensor:
    mix = torch.rand(len(real), 1)
    points = (mix * real + (1 - mix) * fake).requires_grad_()
    scores = critic(points)
    (slope,) = torch.autograd.grad(scores.sum(), points, create_graph=True)
    return (slope.norm(dim=1) - 1).square().mean()


def peaks(n: int, bins: int) -> Tensor:
    axis = torch.arange(bins).float()
    centres = torch.randint(5, bins - 5, (n, 3, 1)).float()
    heights = torch.rand(n, 3, 1)
    return (heights * torch.exp(-0.5 * ((axis - centres) / 1.5) ** 2)).sum(1)


class Session:
    def __init__(self, cfg: GanConfig) -> None:
        self.cfg = cfg
        self.generator = nn.Sequential(mlp(cfg.noise, cfg.bins), nn.Softplus())
        self.critic = mlp(cfg.bins, 1)
        adam = partial(torch.optim.Adam, lr=cfg.lr, betas=(0.0, 0.9))
        self.opt_g = adam(self.generator.parameters())
        self.opt_c = adam(self.critic.parameters())
        self.history: dict[str, list[Tensor]] = {"wasserstein": [], "penalty": []}

    def latent(self) -> Tensor:
        return torch.randn(self.cfg.batch, self.cfg.noise)

    def critic_update(self) -> None:
        real = peaks(self.cfg.batch, self.cfg.bins)
        with torch.no_grad():
            fake = self.generator(self.latent())
        gap = self.critic(real).mean() - self.critic(fake).mean()
        penalty = gradient_penalty(self.critic, real, fake)
        self.opt_c.zero_grad()
        (self.cfg.penalty * penalty - gap).backward()
        self.opt_c.step()
        self.history["wasserstein"].append(gap.detach())
        self.history["penalty"].append(penalty.detach())

    def generator_update(self) -> None:
        with frozen(self.critic):
            loss = -self.critic(self.generator(self.latent())).mean()
            self.opt_g.zero_grad()
            loss.backward()
            self.opt_g.step()

    def run(self) -> None:
        for it in range(self.cfg.iterations):
            for _ in range(self.cfg.critic_steps):
                self.critic_update()
            self.generator_update()
            if it % 14 == 0:
                recent = {k: torch.stack(v[-10:]).mean().item() for k, v in self.history.items()}
                print(it, {k: round(v, 4) for k, v in recent.items()})


if __name__ == "__main__":
    torch.manual_seed(21)
    Session(GanConfig()).run()
