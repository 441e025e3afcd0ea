from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .hooks import Hook


class FitLoop:
    def __init__(self, net: nn.Module, optimizer: torch.optim.Optimizer, hooks: Sequence[Hook]) -> None:
        self.net = net
        self.optimizer = optimizer
        self.hooks = list(hooks)
        self.step = 0
        self.last = float("nan")

    def _each(self, event: str) -> None:
        for hook in self.hooks:
            getattr(hook, event)(self)

    def fit(self, source: Iterator[tuple[Tensor, Tensor]], steps: int) -> None:
        for self.step in range(steps):
            trip, minutes = next(source)
            off = F.smooth_l1_loss(self.net(trip), minutes)
            off.backward()  # <- culprit
            self._each("before_update")
            self.optimizer.step()  # <- culprit
            self.last = off.item()
            self._each("after_update")
