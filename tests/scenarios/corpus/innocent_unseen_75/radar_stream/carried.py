"""Attributes whose value lives from one window to the next."""
from __future__ import annotations

from typing import Any

from torch import Tensor


class Carried:
    """Data descriptor for recurrent memory; `live` within a window, a plain value across its border."""

    def __set_name__(self, owner: type, name: str) -> None:
        self.slot = "_carried_" + name

    def __get__(self, obj: Any, owner: type | None = None) -> Tensor | None:
        if obj is None:
            return self
        return obj.__dict__.get(self.slot)

    def __set__(self, obj: Any, value: Tensor | None) -> None:
        if value is not None and obj.at_border():
            value = value.detach()
        obj.__dict__[self.slot] = value
