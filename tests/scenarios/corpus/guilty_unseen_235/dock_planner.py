# gradwatch-corpus: kind=inplace-modified
# first-bad: 2
"""Docking policy for a planar vehicle, trained through a learned dynamics model."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn


@dataclass
class DockConfig:
    state_dim: int = 4
    action_dim: int = 2
    horizon: int = 6
    batch: int = 64
    steps: int = 120
    policy_every: int = 3
    lr_model: float = 2e-3
    lr_policy: float = 1e-3


class Transition(NamedTuple):
    state: Tensor
    action: Tensor
    following: Tensor


def mlp(inp: int, out: int, width: int = 64) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inp, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, out))


class DynamicsModel(nn.Module):
    def __init__(self, cfg: DockConfig) -> None:
        super().__init__()
        self.delta = mlp(cfg.state_dim + cfg.action_dim, cfg.state_dim)

    def forward(self, state: Tensor, action: Tensor) -> Tensor:
        return state + 0.1 * self.delta(torch.cat([state, action], dim=-1))


class Policy(nn.Module):
    def __init__(self, cfg: DockConfig) -> None:
        super().__init__()
        self.net = mlp(cfg.state_dim, cfg.action_dim)

    def forward(self, state: Tensor) -> Tensor:
        return torch.tanh(self.net(state))


class Vehicle:
    def __init__(self, cfg: DockConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)

    def sample(self) -> Transition:
        state = torch.randn(self.cfg.batch, self.cfg.state_dim, generator=self.gen)
        action = torch.rand(self.cfg.batch, self.cfg.action_dim, generator=self.gen) * 2 - 1
        pos, vel = state[:, :2], state[:, 2:]
        new_vel = 0.95 * vel + 0.1 * action - 0.01 * vel * vel.abs()
        return Transition(state, action, torch.cat([pos + 0.1 * new_vel, new_vel], dim=-1))


class DockTrainer:
    def __init__(self, cfg: DockConfig) -> None:
        self.cfg = cfg
        self.dynamics = DynamicsModel(cfg)
        self.policy = Policy(cfg)
        self.opt_model = torch.optim.Adam(self.dynamics.parameters(), lr=cfg.lr_model)
        self.opt_policy = torch.optim.Adam(self.policy.parameters(), lr=cfg.lr_policy)

    def imagine(self, state: Tensor) -> Tensor:
        cost = torch.zeros(())
        for _ in range(self.cfg.horizon):
            action = self.policy(state)
            state = self.dynamics(state, action)
            cost = cost + state[:, :2].square().mean() + 0.01 * action.square().mean()
        return cost / self.cfg.horizon

    def iterate(self, step: int, batch: Transition) -> dict[str, float]:
        model_loss = nn.functional.mse_loss(self.dynamics(batch.state, batch.action), batch.following)
        with_policy = step % self.cfg.policy_every == self.cfg.policy_every - 1
        policy_loss = self.imagine(batch.state) if with_policy else None  # <- culprit

        self.opt_model.zero_grad()
        model_loss.backward()
        self.opt_model.step()  # <- culprit

        logs = {"model": model_loss.item()}
        if policy_loss is not None:
            self.opt_policy.zero_grad()
            policy_loss.backward()  # <- culprit
            self.opt_policy.step()
            logs["policy"] = policy_loss.item()
        return logs


if __name__ == "__main__":
    torch.manual_seed(19)
    config = DockConfig()
    vehicle = Vehicle(config, seed=20)
    trainer = DockTrainer(config)
    for it in range(config.steps):
        out = trainer.iterate(it, vehicle.sample())
        if it % 10 == 0:
            print(it, {k: round(v, 4) for k, v in out.items()})
