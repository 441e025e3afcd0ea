"""What torch's anomaly mode writes into each node that is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import torch.fx.traceback

_format_stack: Final = torch.fx.traceback.format_stack


def note_writer(write: Callable[[], list[str]] | None) -> None:
    """Has anomaly mode write such notes into new nodes; None: torch's own tracebacks."""

    def format_stack() -> list[str]:
        try:
            own = write is None or torch.fx.traceback.should_preserve_node_meta
            return _format_stack() if own or write is None else write()
        except Exception:  # noqa: BLE001  - torch's C++ calls this while it makes a node
            return _format_stack()

    torch.fx.traceback.format_stack = _format_stack if write is None else format_stack
