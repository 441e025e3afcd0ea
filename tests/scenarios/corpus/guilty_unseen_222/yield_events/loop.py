from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Callable, Iterable

import torch
from torch import Tensor, nn


@dataclass
class Context:
    model: nn.Module
    step: int = 0
    loss: float = float("nan")


Listener = Callable[[Context], None]


class Loop:
    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer, criterion: nn.Module) -> None:
        self.model = model
        self.optimizer = optimizer
        self.criterion = criterion
        self.ctx = Context(model)
        self._listeners: dict[str, list[Listener]] = defaultdict(list)

    def on(self, event: str, listener: Listener) -> None:
        self._listeners[event].append(listener)

    def emit(self, event: str) -> None:
        for listener in self._listeners[event]:
            listener(self.ctx)

    def run(self, batches: Iterable[tuple[Tensor, ...]]) -> None:
        for step, (weather, soil, target) in enumerate(batches):
            self.ctx.step = step
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(weather, soil), target)
            self.ctx.loss = loss.item()
            self.emit("loss_ready")
            loss.backward()
            self.emit("grads_ready")
            self.optimizer.step()
            self.emit("step_end")
