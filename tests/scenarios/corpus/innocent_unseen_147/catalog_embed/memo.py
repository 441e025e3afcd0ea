from __future__ import annotations

from contextlib import contextmanager
from typing import Callable

import torch


class PathMemo:
    """Shares the ancestors' vectors between the leaves of one batch."""

    def __init__(self, fn: Callable[["PathMemo", int], torch.Tensor]) -> None:
        self._fn = fn
        self._known: dict[int, torch.Tensor] = {}

    def __call__(self, node: int) -> torch.Tensor:
        if node not in self._known:
            self._known[node] = self._fn(self, node)
        return self._known[node]

    @contextmanager
    def batch(self):
        try:
            yield self
        finally:
            self._known.clear()
