from __future__ import annotations

import torch


class LossWindow:
    """Collects micro-batch objectives and turns them into one update."""

    def __init__(self, opt: torch.optim.Optimizer, size: int) -> None:
        self.opt, self.size = opt, size
        self._pending: torch.Tensor | None = None
        self._count = 0

    def push(self, objective: torch.Tensor) -> None:
        self._pending = objective if self._pending is None else self._pending + objective  # <- culprit
        self._count += 1
        if self._count == self.size:
            self._apply(self._pending / self.size)
            self._pending, self._count = None, 0

    def close_epoch(self) -> None:
        if self._count:
            self._apply(self._pending / self._count)
            self._count = 0  # <- culprit

    def _apply(self, mean: torch.Tensor) -> None:
        self.opt.zero_grad()
        mean.backward()
        self.opt.step()
