from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Iterator

import torch
from torch import Tensor, nn


@dataclass
class Entry:
    energy: Tensor | float = 0.0
    calls: int = 0

    def add(self, amount: Tensor) -> None:
        self.energy = self.energy + amount  # <- culprit
        self.calls += 1

    @property
    def mean(self) -> float:
        return float(self.energy) / max(self.calls, 1)


class ActivationProbe:
    """Mean activation energy per layer, gathered while attached."""

    def __init__(self, kinds: tuple[str, ...]) -> None:
        self.kinds = tuple(getattr(nn, k) for k in kinds)
        self.totals: dict[str, Entry] = {}

    def _observe(self, name: str, module: nn.Module, args: tuple[Any, ...], out: Tensor) -> None:
        if module.training:
            self.totals.setdefault(name, Entry()).add(out.pow(2).mean())  # <- culprit

    @contextmanager
    def attached(self, model: nn.Module) -> Iterator["ActivationProbe"]:
        handles = [
            m.register_forward_hook(partial(self._observe, name))
            for name, m in model.named_modules() if isinstance(m, self.kinds)
        ]
        try:
            yield self
        finally:
            for h in handles:
                h.remove()

    def report(self) -> list[str]:
        with torch.no_grad():
            return [f"{name}: {e.mean:.4f} over {e.calls} calls" for name, e in self.totals.items()]
