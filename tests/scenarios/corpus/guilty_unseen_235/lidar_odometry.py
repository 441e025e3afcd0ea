# gradwatch-corpus: kind=graph-held
# holder: level
# first-bad: 1
"""Frame to frame lidar odometry from range images; drift is watched with a slow average."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Callable, Optional

import torch
from torch import Tensor, nn

Monitor = Callable[[Tensor], float]


@dataclass(frozen=True)
class OdomConfig:
    beams: int = 180
    batch: int = 24
    steps: int = 130
    lr: float = 1.5e-3
    ema: float = 0.98
    patience: int = 60


def room_ranges(pose: Tensor, beams: int, half: float = 3.0) -> Tensor:
    """Ranges seen from (x, y, yaw) inside a square room."""
    angle = torch.linspace(-math.pi, math.pi, beams + 1)[:-1] + pose[:, 2:3]
    dx, dy = torch.cos(angle), torch.sin(angle)
    wall_x = (half * dx.sign() - pose[:, 0:1]) / dx.where(dx.abs() > 1e-4, torch.full_like(dx, 1e-4))
    wall_y = (half * dy.sign() - pose[:, 1:2]) / dy.where(dy.abs() > 1e-4, torch.full_like(dy, 1e-4))
    return torch.minimum(wall_x.abs(), wall_y.abs()).clamp(max=10.0)


def sample_pair(cfg: OdomConfig, gen: torch.Generator) -> tuple[Tensor, Tensor]:
    start = torch.randn(cfg.batch, 3, generator=gen) * torch.tensor([0.8, 0.8, 1.0])
    motion = torch.randn(cfg.batch, 3, generator=gen) * torch.tensor([0.1, 0.1, 0.05])
    a = room_ranges(start, cfg.beams)
    b = room_ranges(start + motion, cfg.beams)
    return torch.stack([a, b - a], dim=1), motion


def build_net(beams: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv1d(2, 16, 5, padding=2, padding_mode="circular"),
        nn.GELU(),
        nn.Conv1d(16, 16, 5, stride=3),
        nn.GELU(),
        nn.Flatten(),
        nn.LazyLinear(64),
        nn.GELU(),
        nn.Linear(64, 3),
    )


def make_monitor(decay: float) -> Monitor:
    level: Optional[Tensor] = None

    def update(value: Tensor) -> float:
        nonlocal level
        if level is None:
            level = value  # <- culprit
        else:
            level = decay * level + (1.0 - decay) * value  # <- culprit
        return float(level)

    return update


def train(cfg: OdomConfig) -> nn.Module:
    torch.manual_seed(101)
    gen = torch.Generator().manual_seed(102)
    net = build_net(cfg.beams)
    net(sample_pair(cfg, gen)[0])
    optim = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    scale = torch.tensor([10.0, 10.0, 20.0])
    monitor = make_monitor(cfg.ema)
    best = float("inf")
    stale = 0

    for step in range(cfg.steps):
        pair, motion = sample_pair(cfg, gen)
        error = (net(pair) - motion) * scale
        loss = nn.functional.huber_loss(error, torch.zeros_like(error))
        optim.zero_grad()
        loss.backward()
        optim.step()

        drift = monitor(loss)  # <- culprit
        if drift < best - 1e-4:
            best = drift
            stale = 0
        else:
            stale += 1
        if stale == cfg.patience:
            for group in optim.param_groups:
                group["lr"] *= 0.5
            stale = 0
        if step % 26 == 0:
            print(f"{step:3d}  loss {loss.item():.4f}  drift {drift:.4f}  lr {optim.param_groups[0]['lr']:.1e}")
    return net


if __name__ == "__main__":
    train(OdomConfig())
