from __future__ import annotations

from torch import Tensor


def blend(old: Tensor, new: Tensor, momentum: float) -> Tensor:
    """Exponential step from ``old`` towards ``new``."""
    return old.lerp(new, 1.0 - momentum)  # <- culprit


class Shadow:
    """A slowly moving copy of one tensor."""

    __slots__ = ("_value", "momentum", "updates")

    def __init__(self, initial: Tensor, momentum: float) -> None:
        self._value = initial.detach().clone()
        self.momentum = momentum
        self.updates = 0

    @property
    def value(self) -> Tensor:
        return self._value

    @value.setter
    def value(self, new: Tensor) -> None:
        if new.shape != self._value.shape:
            raise ValueError(f"shape changed: {tuple(self._value.shape)} -> {tuple(new.shape)}")
        self._value = blend(self._value, new, self.momentum)  # <- culprit
        self.updates += 1
