"""What torch's anomaly mode writes into each node that is made."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Final

import torch.fx.traceback

from gradwatch_agent.guard import Guard

_format_stack: Final = torch.fx.traceback.format_stack


def write_notes(write: Callable[[FrameType], list[str]], guard: Guard) -> None:
    """Has anomaly mode write such notes into new nodes; torch's own tracebacks if that fails.

    `write` gets a frame that the code which makes the node has called.
    """

    def note(frame: FrameType) -> list[str] | None:
        return None if torch.fx.traceback.should_preserve_node_meta else write(frame)

    def format_stack() -> list[str]:
        noted = guard.call("lines", note, sys._getframe())
        return _format_stack() if noted is None else noted

    torch.fx.traceback.format_stack = format_stack


def write_tracebacks() -> None:
    """Anomaly mode writes what torch has it write."""
    torch.fx.traceback.format_stack = _format_stack
