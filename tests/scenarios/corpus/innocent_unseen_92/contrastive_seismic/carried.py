from __future__ import annotations

from typing import Any

from torch import Tensor, nn


class CarriesState(nn.Module):
    """Attributes named in ``carried`` keep their numbers only; the graph stays behind."""

    carried: frozenset[str] = frozenset()

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.carried and isinstance(value, Tensor):
            value = value.detach()
        super().__setattr__(name, value)
