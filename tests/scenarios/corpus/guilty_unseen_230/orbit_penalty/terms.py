from __future__ import annotations

from typing import Callable, NamedTuple

import torch
from torch import Tensor, nn

TermFn = Callable[[int, Tensor, Tensor], Tensor]


class Term(NamedTuple):
    fn: TermFn
    weight: float


class Objective:
    def __init__(self) -> None:
        self.terms: dict[str, Term] = {}

    def register(self, name: str, fn: TermFn, weight: float) -> None:
        self.terms[name] = Term(fn, weight)

    def evaluate(self, it: int, q: Tensor, dq: Tensor) -> tuple[Tensor, dict[str, float]]:
        values = {name: term.fn(it, q, dq) for name, term in self.terms.items()}
        total = sum(self.terms[name].weight * value for name, value in values.items())
        return total, {name: value.item() for name, value in values.items()}


class ConservationPenalty:
    """Variance of the energy along a short roll-out; costly, so refreshed every few calls."""

    def __init__(self, net: nn.Module, start: int, every: int, horizon: int = 5, dt: float = 0.05) -> None:
        self.net = net
        self.start = start
        self.every = every
        self.horizon = horizon
        self.dt = dt
        self.cached: Tensor = torch.zeros(())

    def rollout(self, state: Tensor) -> Tensor:
        energies = []
        for _ in range(self.horizon):
            energies.append(self.net(state))
            state = state + self.dt * self.net.flow(state)
        return torch.stack(energies).var(dim=0).mean()

    def __call__(self, it: int, state: Tensor) -> Tensor:
        due = it >= self.start and (it - self.start) % self.every == 0
        if due:
            self.cached = self.rollout(state)  # <- culprit
        return self.cached  # <- culprit
