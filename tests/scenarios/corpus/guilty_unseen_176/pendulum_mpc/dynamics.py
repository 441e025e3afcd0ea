from __future__ import annotations
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class PendulumParams:
    gravity: float = 9.81
    length: float = 0.8
    damping: float = 0.12
    dt: float = 0.03
    torque_limit: float = 15.0


class Pendulum:
    """Batched damped pendulum, state = (angle, velocity)."""

    def __init__(self, params: PendulumParams):
        self.p = params

    def reset(self, batch: int, generator: torch.Generator) -> torch.Tensor:
        angle = 0.5 * torch.randn(batch, generator=generator)
        velocity = 0.1 * torch.randn(batch, generator=generator)
        return torch.stack([angle, velocity], dim=-1)

    def step(self, state: torch.Tensor, torque: torch.Tensor) -> torch.Tensor:
        p = self.p
        angle, velocity = state.unbind(-1)
        u = p.torque_limit * torch.tanh(torque)
        accel = p.gravity / p.length * torch.sin(angle) - p.damping * velocity + u
        velocity = velocity + p.dt * accel
        angle = angle + p.dt * velocity
        return torch.stack([angle, velocity], dim=-1)
