# gradwatch-corpus: kind=none
"""Sea clutter generator with a gradient penalty on the critic."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class ClutterConfig:
    pulses: int = 48
    latent: int = 12
    batch: int = 48
    steps: int = 100
    critic_steps: int = 2
    penalty: float = 5.0
    ema: float = 0.99
    lr: float = 4e-4


class Source(Protocol):
    def draw(self, n: int) -> Tensor: ...


class KDistributed:
    """Compound Gaussian amplitudes with a slowly varying texture."""

    def __init__(self, pulses: int, shape: float, seed: int) -> None:
        self.pulses = pulses
        self.gen = torch.Generator().manual_seed(seed)
        self.shape = shape

    def draw(self, n: int) -> Tensor:
        texture = torch.rand(n, 1, generator=self.gen).pow(1.0 / self.shape)
        drift = torch.cumsum(0.1 * torch.randn(n, self.pulses, generator=self.gen), dim=1)
        i = torch.randn(n, self.pulses, generator=self.gen)
        q = torch.randn(n, self.pulses, generator=self.gen)
        return texture * drift.exp().clamp(max=4.0) * (i * i + q * q).sqrt()


def generator(cfg: ClutterConfig) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(cfg.latent, 96),
        nn.LeakyReLU(0.2),
        nn.Linear(96, 96),
        nn.LeakyReLU(0.2),
        nn.Linear(96, cfg.pulses),
        nn.Softplus(),
    )


def critic(cfg: ClutterConfig) -> nn.Sequential:
    return nn.Sequential(nn.Linear(cfg.pulses, 96), nn.SiLU(), nn.Linear(96, 96), nn.SiLU(), nn.Linear(96, 1))


def gradient_penalty(net: nn.Module, real: Tensor, fake: Tensor) -> Tensor:
    mix = torch.rand(real.shape[0], 1)
    point = (mix * real + (1 - mix) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(net(point).sum(), point, create_graph=True)
    return (grad.norm(dim=1) - 1.0).square().mean()


@torch.no_grad()
def blend(target: nn.Module, online: nn.Module, decay: float) -> None:
    for slow, fast in zip(target.parameters(), online.parameters()):
        slow.mul_(decay).add_(fast, alpha=1.0 - decay)


def train(cfg: ClutterConfig, source: Source) -> nn.Module:
    torch.manual_seed(40)
    gen_net = generator(cfg)
    slow_net = generator(cfg)
    slow_net.load_state_dict(gen_net.state_dict())
    disc = critic(cfg)
    opt_g = torch.optim.Adam(gen_net.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
    opt_d = torch.optim.Adam(disc.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
    gaps: list[float] = []

    for step in range(cfg.steps):
        for _ in range(cfg.critic_steps):
            real = source.draw(cfg.batch)
            with torch.no_grad():
                fake = gen_net(torch.randn(cfg.batch, cfg.latent))
            gap = disc(fake).mean() - disc(real).mean()
            d_loss = gap + cfg.penalty * gradient_penalty(disc, real, fake)
            opt_d.zero_grad()
            d_loss.backward()
            opt_d.step()
            gaps.append(gap.item())

        disc.requires_grad_(False)
        g_loss = -disc(gen_net(torch.randn(cfg.batch, cfg.latent))).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        disc.requires_grad_(True)
        blend(slow_net, gen_net, cfg.ema)
        if step % 20 == 0:
            print(f"{step:3d}  gap {gaps[-1]:+.3f}  g {g_loss.item():+.3f}")
    return slow_net


if __name__ == "__main__":
    config = ClutterConfig()
    train(config, KDistributed(config.pulses, shape=1.5, seed=41))
