from dataclasses import dataclass
from typing import Any

import torch


class Event:
    __slots__ = ("step",)

    def __init__(self, step):
        self.step = step


class BatchLoaded(Event):
    __slots__ = ("size",)

    def __init__(self, step, size):
        super().__init__(step)
        self.size = size


class StepDone(Event):
    __slots__ = ("loss", "grad_norm")

    def __init__(self, step, loss, grad_norm):
        super().__init__(step)
        self.loss = loss  # <- culprit
        self.grad_norm = grad_norm


@dataclass(slots=True)
class RunFinished:
    step: int
    engine: Any
    worst: torch.Tensor | None = None
