# gradwatch-corpus: kind=second-backward
# holder: self.nav | engine.nav | self.nav.hidden | state.hidden | engine.nav.hidden
# first-bad: 1
"""Neural dead reckoning: IMU windows in, planar velocity and position out."""
from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class ImuConfig:
    rate_hz: float = 100.0
    window: int = 25
    walkers: int = 12
    windows: int = 100
    hidden: int = 48
    lr: float = 2e-3


@dataclass(frozen=True)
class NavState:
    hidden: Tensor
    position: Tensor
    elapsed: float = 0.0

    @staticmethod
    def zero(n: int, hidden: int) -> "NavState":
        return NavState(hidden=torch.zeros(1, n, hidden), position=torch.zeros(n, 2))


@dataclass(frozen=True)
class ImuWindow:
    samples: Tensor
    velocity: Tensor


class WalkSimulator:
    def __init__(self, cfg: ImuConfig) -> None:
        self.cfg = cfg
        self.heading = 6.28 * torch.rand(cfg.walkers)
        self.speed = 0.8 + 0.6 * torch.rand(cfg.walkers)
        self.bias = 0.05 * torch.randn(cfg.walkers, 3)

    def next(self) -> ImuWindow:
        cfg = self.cfg
        dt = 1.0 / cfg.rate_hz
        yaw_rate = 0.5 * torch.randn(cfg.walkers, 1).expand(-1, cfg.window)
        accel = 0.3 * torch.randn(cfg.walkers, cfg.window)
        heading = self.heading[:, None] + torch.cumsum(yaw_rate * dt, dim=1)
        speed = self.speed[:, None] + torch.cumsum(accel * dt, dim=1)
        self.heading = heading[:, -1]
        self.speed = speed[:, -1]
        samples = torch.stack([accel, speed * yaw_rate, yaw_rate], dim=-1)
        samples = samples + self.bias[:, None] + 0.02 * torch.randn(samples.shape)
        direction = torch.stack([heading.cos(), heading.sin()], dim=-1)
        return ImuWindow(samples, speed[..., None] * direction)


class VelocityNet(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.rnn = nn.GRU(3, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 2)

    def forward(self, samples: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        feats, hidden = self.rnn(samples, hidden)
        return self.out(feats), hidden


class DeadReckoning:
    def __init__(self, cfg: ImuConfig) -> None:
        self.cfg = cfg
        self.net = VelocityNet(cfg.hidden)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.nav = NavState.zero(cfg.walkers, cfg.hidden)

    def advance(self, state: NavState, samples: Tensor) -> tuple[NavState, Tensor]:
        velocity, hidden = self.net(samples, state.hidden)  # <- culprit
        span = samples.shape[1] / self.cfg.rate_hz
        position = state.position + velocity.detach().mean(dim=1) * span
        return replace(state, hidden=hidden, position=position, elapsed=state.elapsed + span), velocity  # <- culprit

    def train_window(self, win: ImuWindow) -> float:
        nav, velocity = self.advance(self.nav, win.samples)
        loss = nn.functional.mse_loss(velocity, win.velocity)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.nav = nav  # <- culprit
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(1)
    config = ImuConfig()
    sim = WalkSimulator(config)
    engine = DeadReckoning(config)
    for k in range(config.windows):
        value = engine.train_window(sim.next())
        if k % 10 == 0:
            print(f"t={engine.nav.elapsed:6.2f}s loss={value:.4f}")
