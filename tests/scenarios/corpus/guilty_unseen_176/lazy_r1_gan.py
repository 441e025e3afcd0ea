# gradwatch-corpus: kind=second-backward
# first-bad: 17
"""2-D ring GAN with non-saturating loss and lazily applied R1 regularisation."""
from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GANConfig:
    latent: int = 8
    hidden: int = 64
    batch: int = 128
    steps: int = 600
    r1_gamma: float = 0.2
    r1_every: int = 16
    betas: tuple[float, float] = field(default=(0.0, 0.99))


def ring(n: int, modes: int = 8) -> torch.Tensor:
    k = torch.randint(modes, (n,))
    angle = 2 * math.pi * k / modes
    return torch.stack([angle.cos(), angle.sin()], -1) + 0.05 * torch.randn(n, 2)


def mlp(c_in: int, hidden: int, c_out: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(c_in, hidden),
        nn.SiLU(),
        nn.Linear(hidden, hidden),
        nn.SiLU(),
        nn.Linear(hidden, c_out),
    )


def gradient_penalty(scores: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    (grad,) = torch.autograd.grad(scores.sum(), inputs, create_graph=True)
    return grad.square().sum(-1).mean()


class Trainer:
    def __init__(self, cfg: GANConfig):
        self.cfg = cfg
        self.G = mlp(cfg.latent, cfg.hidden, 2)
        self.D = mlp(2, cfg.hidden, 1)
        self.g_opt = torch.optim.Adam(self.G.parameters(), lr=1e-3, betas=cfg.betas)
        self.d_opt = torch.optim.Adam(self.D.parameters(), lr=1e-3, betas=cfg.betas)

    def sample(self) -> torch.Tensor:
        return self.G(torch.randn(self.cfg.batch, self.cfg.latent))

    def d_step(self, step: int) -> float:
        cfg = self.cfg
        lazy = step > 0 and step % cfg.r1_every == 0
        real = ring(cfg.batch).requires_grad_(lazy)
        with torch.no_grad():
            fake = self.sample()
        real_scores = self.D(real)
        loss = F.softplus(-real_scores).mean() + F.softplus(self.D(fake)).mean()
        self.d_opt.zero_grad()
        loss.backward()  # <- culprit
        if lazy:
            penalty = gradient_penalty(real_scores, real)  # <- culprit
            (0.5 * cfg.r1_gamma * cfg.r1_every * penalty).backward()
        self.d_opt.step()
        return loss.item()

    def g_step(self) -> float:
        self.D.requires_grad_(False)
        loss = F.softplus(-self.D(self.sample())).mean()
        self.g_opt.zero_grad()
        loss.backward()
        self.g_opt.step()
        self.D.requires_grad_(True)
        return loss.item()


def main() -> None:
    torch.manual_seed(42)
    trainer = Trainer(GANConfig())
    for step in range(trainer.cfg.steps):
        d_loss = trainer.d_step(step)
        g_loss = trainer.g_step()
        if step % 10 == 0:
            print(f"{step:4d} D {d_loss:.3f} G {g_loss:.3f}")


if __name__ == "__main__":
    main()
