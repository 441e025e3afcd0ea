# gradwatch-corpus: kind=graph-chain
# holder: self.controls | plan.controls | self.plan.controls | mpc.plan.controls | controls
# first-bad: 1
"""Gradient-based receding-horizon control of a cart with a pole: one improvement step on the
plan per tick, then the first force is applied and the plan is shifted (homework 3, 6-dof omitted)."""
from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass(frozen=True)
class Cart:
    cart_mass: float = 1.0
    pole_mass: float = 0.1
    length: float = 0.5
    gravity: float = 9.81
    dt: float = 0.04

    def step(self, s: Tensor, force: Tensor) -> Tensor:
        x, v, th, w = s.unbind(-1)
        sin, cos = torch.sin(th), torch.cos(th)
        total = self.cart_mass + self.pole_mass
        tmp = (force + self.pole_mass * self.length * w * w * sin) / total
        th_acc = (self.gravity * sin - cos * tmp) / (
            self.length * (4.0 / 3.0 - self.pole_mass * cos * cos / total))
        acc = tmp - self.pole_mass * self.length * th_acc * cos / total
        v, w = v + self.dt * acc, w + self.dt * th_acc
        return torch.stack((x + self.dt * v, v, th + self.dt * w, w), -1)


@dataclass(frozen=True)
class QuadraticCost:
    weights: tuple[float, ...] = (1.0, 1.0, 4.0, 0.4)
    effort: float = 2e-3
    terminal: float = 4.0
    _w: Tensor = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self):
        object.__setattr__(self, "_w", torch.tensor(self.weights))

    def running(self, s: Tensor, u: Tensor) -> Tensor:
        return (self._w * s.square()).sum() + self.effort * u.square()

    def final(self, s: Tensor) -> Tensor:
        return self.terminal * (self._w * s.square()).sum()


class Plan:
    """The open-loop forces over the horizon."""

    def __init__(self, horizon: int, limit: float):
        self.limit = limit
        self.controls = torch.zeros(horizon, requires_grad=True)

    def __iter__(self):
        return iter(torch.tanh(self.controls).mul(self.limit).unbind())

    def first(self) -> float:
        return self.limit * math.tanh(self.controls[0].item())

    def improve(self, rate: float) -> None:
        grad = self.controls.grad
        grad = grad / grad.norm().clamp_min(1.0)
        self.controls = self.controls - rate * grad  # <- culprit

    def shift(self) -> None:
        self.controls = torch.cat((self.controls[1:], self.controls[-1:]))  # <- culprit


class RecedingHorizon:
    def __init__(self, model: Cart, cost: QuadraticCost, horizon: int = 20):
        self.model, self.cost = model, cost
        self.plan = Plan(horizon, limit=12.0)

    def rollout_cost(self, s: Tensor) -> Tensor:
        total = torch.zeros(())
        for u in self.plan:
            s = self.model.step(s, u)
            total = total + self.cost.running(s, u)
        return total + self.cost.final(s)

    def act(self, observed: Tensor) -> tuple[float, float]:
        self.plan.controls.retain_grad()
        value = self.rollout_cost(observed)
        value.backward()
        self.plan.improve(rate=0.4)
        force = self.plan.first()
        self.plan.shift()
        return force, value.item()


def main(ticks: int = 240) -> None:
    gen = torch.Generator().manual_seed(6)
    plant, mpc = Cart(pole_mass=0.13, length=0.47), RecedingHorizon(Cart(), QuadraticCost())
    state = torch.tensor([0.4, 0.0, 0.25, 0.0])
    costs = []
    for t in range(ticks):
        force, cost = mpc.act(state)
        with torch.no_grad():
            state = plant.step(state, torch.tensor(force))
            state = state + torch.randn(4, generator=gen) * torch.tensor([0.0, 0.01, 0.0, 0.02])
        costs.append(cost)
        if t % 40 == 39:
            x, _, th, _ = state.tolist()
            print(f"t={t + 1:3d}  x={x:+.3f}  theta={th:+.3f}  force={force:+6.2f}  cost={sum(costs[-40:]) / 40:.3f}")


if __name__ == "__main__":
    main()
