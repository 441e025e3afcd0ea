from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, Callable, Iterable

import torch
from torch import Tensor, nn


@dataclass
class Clock:
    epoch: int = 0
    step: int = 0


def once_per_epoch(method: Callable[[Any], Tensor]) -> Callable[[Any], Tensor]:
    """The method's value is worked out at its first call in an epoch; `self.clock` tells the epoch."""
    slot = method.__name__

    @functools.wraps(method)
    def cached(self) -> Tensor:
        store = self.__dict__.setdefault("_memo", {})
        hit = store.get(slot)
        if hit is None or hit[0] != self.clock.epoch:
            hit = (self.clock.epoch, method(self))
            store[slot] = hit  # <- culprit
        return hit[1]  # <- culprit
    return cached


class Plugin:
    def epoch_started(self, engine: "Engine") -> None: ...
    def step_done(self, engine: "Engine", loss: float) -> None: ...
    def epoch_done(self, engine: "Engine") -> None: ...


class Engine:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, clock: Clock) -> None:
        self.model, self.optimizer, self.clock = model, optimizer, clock
        self.plugins: list[Plugin] = []

    def use(self, plugin: Plugin) -> "Engine":
        self.plugins.append(plugin)
        return self

    def _notify(self, event: str, *args) -> None:
        for plugin in self.plugins:
            getattr(plugin, event)(self, *args)

    def fit(self, loader: Callable[[], Iterable[tuple[Tensor, Tensor]]], epochs: int) -> None:
        for self.clock.epoch in range(epochs):
            self._notify("epoch_started")
            for clicks, target in loader():
                loss = self.model.loss(clicks, target)
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
                self.clock.step += 1
                self._notify("step_done", loss.item())
            self._notify("epoch_done")
