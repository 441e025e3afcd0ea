# gradwatch-corpus: kind=none
"""Receding horizon control of an overhead crane with cost weights learned from an expert."""
from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class CraneConfig:
    dt: float = 0.15
    horizon: int = 8
    unroll: int = 3
    cranes: int = 10
    ticks: int = 80
    rope: float = 2.0
    plan_step: float = 0.6
    lr: float = 0.02


@dataclass
class CraneState:
    """Columns: cart position, cart speed, sway angle, sway rate."""

    x: Tensor

    def advanced(self, force: Tensor, cfg: CraneConfig) -> "CraneState":
        pos, vel, ang, rate = self.x.unbind(dim=-1)
        swing = -(9.81 * ang.sin() + force * ang.cos()) / cfg.rope - 0.2 * rate
        rate = rate + cfg.dt * swing
        vel = 0.98 * vel + cfg.dt * force
        return CraneState(torch.stack([pos + cfg.dt * vel, vel, ang + cfg.dt * rate, rate], dim=-1))


class Controller(Protocol):
    def __call__(self, state: CraneState) -> Tensor: ...


def expert(state: CraneState) -> Tensor:
    gain = torch.tensor([-0.9, -1.3, 1.8, 0.7])
    return (state.x @ gain).clamp(-2, 2)


class LearnedMpc(nn.Module):
    def __init__(self, cfg: CraneConfig) -> None:
        super().__init__()
        self.cfg = cfg
        self.log_weights = nn.Parameter(torch.zeros(4))
        self.log_effort = nn.Parameter(torch.tensor(-2.0))
        self.register_buffer("plan", torch.zeros(cfg.horizon, cfg.cranes))
        self.register_buffer("scale", torch.ones(4))

    @torch.no_grad()
    def observe(self, state: CraneState) -> None:
        self.scale.mul_(0.95).add_(state.x.abs().mean(dim=0), alpha=0.05)

    def rollout_cost(self, state: CraneState, plan: Tensor) -> Tensor:
        weights = self.log_weights.exp()
        cost = torch.zeros(self.cfg.cranes)
        for force in plan:
            state = state.advanced(force, self.cfg)
            cost += (weights * (state.x / (0.5 + self.scale)).square()).sum(dim=-1)
            cost += self.log_effort.exp() * force.square()
        return cost.sum() / self.cfg.horizon

    def forward(self, state: CraneState) -> Tensor:
        plan = self.plan.clone().requires_grad_(True)
        for _ in range(self.cfg.unroll):
            (slope,) = torch.autograd.grad(self.rollout_cost(state, plan), plan, create_graph=True)
            plan = plan - self.cfg.plan_step * torch.tanh(slope)
        self.plan = torch.cat([plan[1:], plan[-1:]]).detach()
        return plan[0]


def main() -> None:
    torch.manual_seed(9)
    cfg = CraneConfig()
    mpc = LearnedMpc(cfg)
    optim = torch.optim.Adam(mpc.parameters(), lr=cfg.lr)
    state = CraneState(torch.randn(cfg.cranes, 4) * torch.tensor([1.0, 0.3, 0.2, 0.1]))
    teacher: Controller = expert
    total = torch.zeros(())
    window: deque[float] = deque(maxlen=20)

    for tick in range(cfg.ticks):
        mpc.observe(state)
        force = mpc(state)
        loss = (force - teacher(state)).square().mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        total += loss.detach()
        window.append(math.sqrt(loss.item()))

        applied = force.detach() + 0.1 * torch.randn(cfg.cranes)
        state = state.advanced(applied, cfg)
        if tick % 20 == 19:
            state = CraneState(torch.randn_like(state.x) * torch.tensor([1.0, 0.3, 0.2, 0.1]))
            print(f"{tick + 1:3d}  rmse {sum(window) / len(window):.4f}  mean {total.item() / (tick + 1):.4f}")


if __name__ == "__main__":
    main()
