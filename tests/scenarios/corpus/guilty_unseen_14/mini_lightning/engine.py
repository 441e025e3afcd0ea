"""Trainer, module base class and callback protocol."""
from __future__ import annotations

import abc
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn

from results import ResultCollection


class Callback:
    def on_batch_start(self, trainer: "Trainer", module: "TaskModule", step: int) -> None: ...

    def on_batch_end(self, trainer: "Trainer", module: "TaskModule", step: int) -> None: ...


class TaskModule(nn.Module, abc.ABC):
    trainer: "Trainer | None" = None

    @abc.abstractmethod
    def training_step(self, batch: tuple[Tensor, ...], step: int) -> Tensor: ...

    @abc.abstractmethod
    def configure_optimizer(self) -> torch.optim.Optimizer: ...

    def log(self, key: str, value: Tensor | float, *, weight: int = 1) -> None:
        if self.trainer is not None:
            self.trainer.results.record(key, value, weight)


class Trainer:
    def __init__(self, max_steps: int, callbacks: Sequence[Callback] = (), clip: float | None = None):
        self.max_steps = max_steps
        self.callbacks = list(callbacks)
        self.clip = clip
        self.results = ResultCollection()
        self.optimizer: torch.optim.Optimizer | None = None

    def _run_batch(self, module: TaskModule, batch, step: int) -> None:
        for cb in self.callbacks:
            cb.on_batch_start(self, module, step)
        self.optimizer.zero_grad(set_to_none=True)
        loss = module.training_step(batch, step)
        loss.backward()
        if self.clip is not None:
            nn.utils.clip_grad_norm_(module.parameters(), self.clip)
        self.optimizer.step()
        for cb in self.callbacks:
            cb.on_batch_end(self, module, step)

    def fit(self, module: TaskModule, data: Iterable) -> None:
        module.trainer = self
        module.train()
        self.optimizer = module.configure_optimizer()
        for step, batch in zip(range(self.max_steps), data):
            self._run_batch(module, batch, step)
