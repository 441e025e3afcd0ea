"""Board that asks for the numbers only when it writes them."""
from typing import Callable, List, Tuple

import torch

Scalar = Tuple[str, Callable[[], float]]
Shape = Tuple[str, Callable[[], torch.Tensor]]


class Board:
    def __init__(self, quiet_every: int = 1) -> None:
        self._scalars: List[Scalar] = []
        self._shapes: List[Shape] = []
        self._written = 0
        self._flushes = 0
        self._quiet = quiet_every
        self.lines = 0

    def scalar(self, name: str, fn: Callable[[], float]) -> None:
        self._scalars.append((name, fn))

    def shape(self, name: str, fn: Callable[[], torch.Tensor]) -> None:
        self._shapes.append((name, fn))  # <- culprit

    def flush(self, step: int) -> None:
        self._flushes += 1
        parts = []
        sums = {}
        for name, fn in self._scalars:
            sums.setdefault(name, []).append(fn())
        self._scalars.clear()
        parts += [f"{k} {sum(v) / len(v):.4f}" for k, v in sums.items()]

        for name, fn in self._shapes[self._written:]:
            low, mid, high = fn().tolist()
            self.lines += 1
        parts.append(f"{name} [{low:+.2f} {mid:+.2f} {high:+.2f}]")
        self._written = len(self._shapes)

        if self._flushes % self._quiet == 0:
            print(f"step {step + 1:4d}  " + "  ".join(parts))
