from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterable, Protocol

import torch

from book import Book
from market import Period
from policy import ParametricPolicy

CALLBACKS: dict[str, Callable[[], "Callback"]] = {}


def callback(name: str):
    def deco(cls):
        CALLBACKS[name] = cls
        return cls
    return deco


@dataclass
class TrainState:
    policy: ParametricPolicy
    optimizer: torch.optim.Optimizer
    book: Book
    step: int = 0
    metrics: dict[str, Any] = field(default_factory=dict)


class Callback(Protocol):
    def on_step(self, state: TrainState) -> None: ...


@callback("exposure")
class Exposure:
    def on_step(self, state: TrainState) -> None:
        state.metrics["theta"] = [round(v, 3) for v in state.policy.theta.detach().flatten().tolist()]


@callback("console")
class Console:
    every = 30

    def on_step(self, state: TrainState) -> None:
        if state.step % self.every == 0:
            print(state.step, state.metrics)


def build_callbacks(names: Iterable[str]) -> list[Callback]:
    return [CALLBACKS[n]() for n in names]


class Loop:
    def __init__(self, state: TrainState, callbacks: list[Callback], risk: float, drawdown: float,
                 backward_kwargs: dict[str, Any] | None = None) -> None:
        self.state = state
        self.callbacks = callbacks
        self.risk, self.drawdown = risk, drawdown
        self.backward_kwargs = backward_kwargs or {"retain_graph": True}

    def step(self, period: Period) -> None:
        st = self.state
        weights = st.policy(period.features)
        pnl = (weights * period.returns).sum(-1)
        st.book.mark(pnl.mean())
        utility = pnl.mean() - 0.5 * self.risk * pnl.var()
        loss = -utility + self.drawdown * st.book.drawdown
        st.optimizer.zero_grad()
        loss.backward(**self.backward_kwargs)
        st.optimizer.step()
        st.metrics.update(utility=round(utility.item(), 5), drawdown=round(st.book.drawdown.item(), 5))

    def run(self, periods: Iterable[Period]) -> TrainState:
        for period in periods:
            self.step(period)
            self.state.step += 1
            for cb in self.callbacks:
                cb.on_step(self.state)
        return self.state
