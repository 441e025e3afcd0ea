# gradwatch-corpus: kind=graph-chain
# holder: self.plan | controller.plan
# first-bad: 1
"""Receding-horizon control of a planar two-link arm with a learned residual model."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Iterator

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class MPCConfig:
    horizon: int = 10
    action_dim: int = 2
    state_dim: int = 4
    inner_steps: int = 2
    step_size: float = 0.4
    control_steps: int = 90
    model_lr: float = 3e-3
    dt: float = 0.05
    seed: int = 11


class ResidualDynamics(nn.Module):
    def __init__(self, cfg: MPCConfig) -> None:
        super().__init__()
        self.dt = cfg.dt
        self.net = nn.Sequential(
            nn.Linear(cfg.state_dim + cfg.action_dim, 48),
            nn.SiLU(),
            nn.Linear(48, cfg.state_dim),
        )

    def forward(self, state: Tensor, action: Tensor) -> Tensor:
        q, dq = state.chunk(2, dim=-1)
        nominal = torch.cat([dq, action], dim=-1)
        delta = nominal + 0.1 * self.net(torch.cat([state, action], dim=-1))
        return state + self.dt * delta


class ArmPlant:
    """The 'real' arm: damped, with a coupling the nominal model lacks."""

    def __init__(self, cfg: MPCConfig) -> None:
        self.dt = cfg.dt
        self.state = torch.zeros(cfg.state_dim)

    @torch.no_grad()
    def step(self, action: Tensor) -> Tensor:
        q, dq = self.state.chunk(2)
        coupling = 0.4 * torch.sin(q.flip(0))
        ddq = action - 0.3 * dq + coupling
        self.state = torch.cat([q + self.dt * dq, dq + self.dt * ddq])
        return self.state.clone()


class RecedingHorizonController:
    def __init__(self, cfg: MPCConfig, model: nn.Module, cost: Callable[[Tensor, Tensor], Tensor]) -> None:
        self.cfg = cfg
        self.model = model
        self.cost = cost
        self.plan = torch.zeros(cfg.horizon, cfg.action_dim, requires_grad=True)

    def rollout_cost(self, state: Tensor, plan: Tensor) -> Tensor:
        total = torch.zeros(())
        for action in plan.unbind(0):
            state = self.model(state, action)
            total = total + self.cost(state, action)
        return total

    def act(self, state: Tensor) -> Tensor:
        plan = self.plan
        for _ in range(self.cfg.inner_steps):
            objective = self.rollout_cost(state, plan)
            (direction,) = torch.autograd.grad(objective, plan)
            plan = plan - self.cfg.step_size * direction  # <- culprit
        first = plan[0].detach()
        self.plan = torch.cat([plan[1:], plan[-1:]])  # <- culprit
        return first


def reference(cfg: MPCConfig) -> Iterator[Tensor]:
    for t in range(cfg.control_steps):
        phase = torch.tensor(0.07 * t)
        yield torch.stack([torch.sin(phase), torch.cos(phase), torch.zeros(()), torch.zeros(())])


def main() -> None:
    cfg = MPCConfig()
    torch.manual_seed(cfg.seed)
    model = ResidualDynamics(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.model_lr)
    plant = ArmPlant(cfg)
    target = torch.zeros(cfg.state_dim)

    def tracking_cost(state: Tensor, action: Tensor) -> Tensor:
        return (state - target).pow(2).sum() + 1e-2 * action.pow(2).sum()

    controller = RecedingHorizonController(cfg, model, tracking_cost)
    observation = plant.state.clone()
    for step, goal in enumerate(reference(cfg)):
        target.copy_(goal)
        action = controller.act(observation)
        following = plant.step(action)
        model_loss = (model(observation, action) - following).pow(2).mean()
        optimizer.zero_grad(set_to_none=True)
        model_loss.backward()
        optimizer.step()
        observation = following
        if step % 15 == 0:
            error = (following - goal)[:2].norm().item()
            print(f"t={step:3d} model={model_loss.item():.3e} tracking={error:.3f}")


if __name__ == "__main__":
    main()
