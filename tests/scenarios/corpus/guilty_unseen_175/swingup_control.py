# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Optimise a neural pendulum controller by backpropagation through a differentiable simulator."""
import math
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Plant:
    gravity: float = 9.81
    length: float = 1.0
    damping: float = 0.1
    dt: float = 0.04

    def acceleration(self, theta, omega, torque):
        return -self.gravity / self.length * torch.sin(theta) - self.damping * omega + torque


@dataclass
class Cost:
    angle: float = 1.0
    speed: float = 0.05
    effort: float = 0.005
    terms: dict = field(default_factory=dict)

    def __call__(self, theta, omega, torque):
        parts = {
            "angle": self.angle * (1 + torch.cos(theta)).mean(),
            "speed": self.speed * (omega ** 2).mean(),
            "effort": self.effort * (torque ** 2).mean(),
        }
        self.terms = {k: v.item() for k, v in parts.items()}
        return sum(parts.values())


class Controller(nn.Module):
    def __init__(self, limit=12.0, hidden=32):
        super().__init__()
        self.limit = limit
        self.net = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, theta, omega):
        obs = torch.stack([theta.sin(), theta.cos(), omega / 8.0], dim=-1)
        return self.limit * torch.tanh(self.net(obs)).squeeze(-1)


def episode(plant, controller, cost, theta0, omega0, horizon):
    theta, omega = theta0.clone(), omega0.clone()
    total = 0.0
    for _ in range(horizon):
        torque = controller(theta, omega)
        omega = omega + plant.dt * plant.acceleration(theta, omega, torque)
        theta += plant.dt * omega  # <- culprit
        total = total + cost(theta, omega, torque)
    return total / horizon


def main(iters=400, batch=16, horizon=12):
    torch.manual_seed(19)
    plant, cost, controller = Plant(), Cost(), Controller()
    opt = torch.optim.Adam(controller.parameters(), lr=3e-3)
    best = math.inf
    for it in range(iters):
        theta0 = math.pi * (2 * torch.rand(batch) - 1)
        omega0 = torch.randn(batch)
        loss = episode(plant, controller, cost, theta0, omega0, horizon)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(controller.parameters(), 1.0)
        opt.step()
        best = min(best, loss.item())
        if it % 50 == 0:
            print(f"{it:4d} cost {loss.item():.4f} best {best:.4f} {cost.terms}")


if __name__ == "__main__":
    main()
