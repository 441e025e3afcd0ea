from __future__ import annotations

from dataclasses import dataclass

import torch

from dynamics import Pendulum


@dataclass
class PlannerConfig:
    horizon: int = 8
    inner_steps: int = 3
    lr: float = 0.6
    control_cost: float = 1e-3


class ShootingPlanner:
    def __init__(self, env: Pendulum, cfg: PlannerConfig, batch: int):
        self.env, self.cfg = env, cfg
        self.plan = torch.zeros(cfg.horizon, batch)

    def cost(self, state: torch.Tensor, plan: torch.Tensor) -> torch.Tensor:
        total = torch.zeros(())
        for torque in plan:
            state = self.env.step(state, torque)
            angle, velocity = state.unbind(-1)
            total = total + (1 - torch.cos(angle)).mean() + 0.01 * velocity.square().mean()
        return total + self.cfg.control_cost * plan.square().mean()

    def solve(self, state: torch.Tensor) -> tuple[torch.Tensor, float]:
        plan = torch.cat([self.plan[1:], self.plan[-1:]]).detach().requires_grad_()
        value = float("nan")
        for _ in range(self.cfg.inner_steps):
            cost = self.cost(state, plan)
            (grad,) = torch.autograd.grad(cost, plan)
            plan = (plan - self.cfg.lr * grad).detach().requires_grad_()
            value = cost.item()
        self.plan = plan.detach()
        return plan, value
