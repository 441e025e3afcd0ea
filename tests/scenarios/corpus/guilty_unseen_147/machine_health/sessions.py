from __future__ import annotations

import torch


class SessionTable:
    def __init__(self, width: int) -> None:
        self.width = width
        self._hidden: dict[str, torch.Tensor] = {}

    def resume(self, unit: str) -> torch.Tensor:
        return self._hidden.get(unit, torch.zeros(1, 1, self.width))

    def suspend(self, unit: str, state: torch.Tensor) -> None:
        self._hidden[unit] = state  # <- culprit

    def forget(self, unit: str) -> None:
        self._hidden.pop(unit, None)
