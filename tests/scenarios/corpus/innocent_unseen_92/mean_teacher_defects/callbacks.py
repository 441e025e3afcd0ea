from __future__ import annotations

import weakref
from collections import deque
from typing import TYPE_CHECKING, Iterator

import torch
from torch import Tensor

if TYPE_CHECKING:
    from trainer import Trainer


class Anomaly(RuntimeError):
    def __init__(self, step: int, value: float) -> None:
        super().__init__(f"step {step}: loss {value:.3f}")
        self.step, self.value = step, value


class Callback:
    def on_loss(self, trainer: "Trainer", step: int, loss: Tensor) -> None: ...


class LiveWindow(Callback):
    """Mean and spread of the latest losses."""

    def __init__(self, size: int) -> None:
        self.window: deque[Tensor] = deque(maxlen=size)

    def on_loss(self, trainer: "Trainer", step: int, loss: Tensor) -> None:
        self.window.append(loss)
        if step % 80 == 79:
            w = torch.stack(list(self.window)).detach()
            print(f"{step:4d} {w.mean():.3f} +- {w.std():.3f}")


class AnomalyGuard(Callback):
    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.level: float | None = None

    def on_loss(self, trainer: "Trainer", step: int, loss: Tensor) -> None:
        value = loss.item()
        level, self.level = self.level, value if self.level is None else 0.9 * self.level + 0.1 * value
        if level is not None and value > self.limit * level:
            raise Anomaly(step, value)


class TensorWatch(Callback):
    """Registry of every loss that something still holds."""

    def __init__(self) -> None:
        self._refs: weakref.WeakValueDictionary[int, Tensor] = weakref.WeakValueDictionary()

    def on_loss(self, trainer: "Trainer", step: int, loss: Tensor) -> None:
        self._refs[step] = loss

    def __iter__(self) -> Iterator[int]:
        return iter(self._refs)

    def __len__(self) -> int:
        return len(self._refs)
