# gradwatch-corpus: kind=graph-held
# holder: self.rejections | log.rejections | journal.rejections | fit.journal.rejections | self.journal.rejections | err | err.__traceback__ | exc
# first-bad: 41
# notice: 8
"""Neural ODE for a damped pendulum, with a hand-written adaptive Heun/Euler pair.

Long trajectories join the training mix at iteration 40 (every 4th batch).  When the adaptive solver
runs out of evaluations the batch is integrated again with fixed RK4 steps, and the rejection is kept
for the summary at the end.
"""
from __future__ import annotations

import math
from dataclasses import dataclass, field

import torch
from torch import nn, Tensor

torch.set_num_threads(1)
torch.manual_seed(13)


class BudgetExceeded(ArithmeticError):
    def __init__(self, t: float, nfe: int):
        super().__init__(f"t={t:.3f} after {nfe} evaluations")
        self.t, self.nfe = t, nfe


class Field(nn.Module):
    def __init__(self, h: int = 20):
        super().__init__()
        self.a, self.b = nn.Linear(2, h), nn.Linear(h, 2)

    def forward(self, y: Tensor) -> Tensor:
        return self.b(torch.tanh(self.a(y)))


@dataclass
class Adaptive:
    f: nn.Module
    atol: float = 2e-3
    budget: int = 40

    def __call__(self, y: Tensor, t_end: float) -> Tensor:
        t, h, nfe = 0.0, 0.1, 0
        while t < t_end - 1e-9:
            h = min(h, t_end - t)
            k1 = self.f(y)
            k2 = self.f(y + h * k1)
            nfe += 2
            if nfe > self.budget:
                raise BudgetExceeded(t, nfe)
            err = 0.5 * h * (k2 - k1).detach().abs().max().item()
            if err <= self.atol:
                y, t = y + 0.5 * h * (k1 + k2), t + h
            h *= min(2.0, max(0.3, 0.9 * math.sqrt(self.atol / (err + 1e-12))))
        return y


def rk4(f: nn.Module, y: Tensor, t_end: float, n: int = 6) -> Tensor:
    h = t_end / n
    for _ in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


@dataclass
class Journal:
    rejections: list = field(default_factory=list)
    losses: list = field(default_factory=list)

    def reject(self, it: int, exc: BudgetExceeded) -> None:
        self.rejections.append((it, exc))  # <- culprit

    def summary(self) -> str:
        if not self.rejections:
            return "no rejections"
        ts = [e.t for _, e in self.rejections]
        return f"{len(ts)} rejections, mean progress {sum(ts) / len(ts):.3f}, last: {self.rejections[-1][1]}"


def truth(y: Tensor) -> Tensor:
    return torch.stack([y[:, 1], -2.0 * torch.sin(y[:, 0]) - 0.2 * y[:, 1]], 1)


class Fit:
    def __init__(self):
        self.field = Field()
        self.solver = Adaptive(self.field)
        self.opt = torch.optim.Adam(self.field.parameters(), lr=5e-3)
        self.journal = Journal()

    def integrate(self, it: int, y0: Tensor, t_end: float) -> Tensor:
        try:
            return self.solver(y0, t_end)
        except BudgetExceeded as err:
            self.journal.reject(it, err)  # <- culprit
        return rk4(self.field, y0, t_end)

    def step(self, it: int) -> float:
        horizon = 2.5 if it >= 40 and it % 4 == 0 else 0.4
        y0 = torch.rand(24, 2) * 3 - 1.5
        with torch.no_grad():
            goal = rk4(truth, y0, horizon, 24)
        loss = (self.integrate(it, y0, horizon) - goal).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.journal.losses.append(loss.item())
        return self.journal.losses[-1]


fit = Fit()
for it in range(300):
    value = fit.step(it)
    if it % 50 == 49:
        recent = fit.journal.losses[-50:]
        print(f"{it + 1:4d} loss {sum(recent) / len(recent):.5f}")
print(fit.journal.summary())
