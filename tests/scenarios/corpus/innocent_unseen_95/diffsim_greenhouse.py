# gradwatch-corpus: kind=none
"""Greenhouse climate controller trained through a differentiable simulator.

Episodes run on for ever; gradients go through windows of H steps and the climate is cut
from the graph between two windows.
"""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint


@dataclass
class Climate:
    temp: Tensor
    hum: Tensor
    soil: Tensor

    def stack(self):
        return torch.stack([self.temp / 10 - 2, self.hum * 2 - 1, self.soil * 2 - 1], 1)

    def detach(self):
        return Climate(self.temp.detach(), self.hum.detach(), self.soil.detach())

    @staticmethod
    def random(n):
        return Climate(10 + 15 * torch.rand(n), torch.rand(n), torch.rand(n))


def outside(t, n):
    phase = torch.tensor(t * 0.26)
    return 12 + 8 * phase.sin() + torch.randn(n), (0.5 + 0.5 * phase.sin()).expand(n)


def simulate(c: Climate, u: Tensor, t_out: Tensor, sun: Tensor) -> Climate:
    heat, vent, water = u.unbind(1)
    temp = c.temp + 0.2 * (t_out - c.temp) * (0.3 + vent) + 2.0 * sun + 3.0 * heat
    hum = torch.sigmoid(4 * (c.hum - 0.5) + 1.2 * water - 1.5 * vent + 0.3 * c.soil)
    soil = (c.soil + 0.15 * water - 0.03 * sun - 0.02).clamp(0.0, 1.0)
    return Climate(temp, hum, soil)


class Controller(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU())
        self.head = nn.Linear(hidden, 3)

    def forward(self, obs):
        h = checkpoint(self.trunk, obs, use_reentrant=False)
        return torch.sigmoid(self.head(h))


def cost(c: Climate, u: Tensor) -> Tensor:
    comfort = ((c.temp - 22) / 5).square() + 4 * (c.hum - 0.65).square() + 4 * (c.soil - 0.6).square()
    return (comfort + 0.2 * u[:, 0] + 0.05 * u[:, 2]).mean()


class WindowTrainer:
    def __init__(self, policy, n=8, horizon=8, reset_every=50):
        self.policy = policy
        self.n, self.horizon, self.reset_every = n, horizon, reset_every
        self.opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
        self.climate = Climate.random(n)
        self.clock = 0
        self.windows = deque(maxlen=40)

    def roll(self, climate, horizon):
        costs = []
        for _ in range(horizon):
            t_out, sun = outside(self.clock, len(climate.temp))
            obs = torch.cat([climate.stack(), t_out[:, None] / 10 - 1, sun[:, None]], 1)
            u = self.policy(obs)
            climate = simulate(climate, u, t_out, sun)
            costs.append(cost(climate, u))
            self.clock += 1
        return climate, torch.stack(costs).mean()

    def update(self, k):
        if k % self.reset_every == 0:
            self.climate = Climate.random(self.n)
        final, loss = self.roll(self.climate, self.horizon)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        self.climate = final.detach()
        self.windows.append(loss.detach())

    @torch.no_grad()
    def score(self):
        clock = self.clock
        _, c = self.roll(Climate.random(32), 30)
        self.clock = clock
        return c.item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(29)
    trainer = WindowTrainer(Controller())
    for k in range(300):
        trainer.update(k)
        if (k + 1) % 60 == 0:
            recent = torch.stack(tuple(trainer.windows)).mean().item()
            print(f"window {k + 1}: cost {recent:.3f}  evaluation {trainer.score():.3f}")
