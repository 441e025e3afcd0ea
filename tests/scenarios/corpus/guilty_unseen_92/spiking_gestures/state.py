from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn


class StatefulMixin:
    """Lazily sized recurrent state kept in non-persistent buffers."""

    state_names: ClassVar[tuple[str, ...]] = ()

    def declare_state(self: nn.Module, name: str) -> None:
        self.register_buffer(name, None, persistent=False)

    def ensure_state(self: nn.Module, name: str, like: Tensor) -> Tensor:
        value = getattr(self, name)
        if value is None or value.shape != like.shape:
            value = torch.zeros_like(like)
            setattr(self, name, value)
        return value

    def new_window(self: nn.Module) -> None:
        """Cut the state at a window boundary, keeping its numbers."""
        for name in self.state_names:  # <- culprit
            value = getattr(self, name)
            if value is not None:
                setattr(self, name, value.detach())
