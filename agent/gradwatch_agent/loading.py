"""Imports the agent's inside, when training is about to be watched and not before.

Must not import torch: who calls has it.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradwatch_agent.running import Watch


def begin(name: str | None = None, *, wait_for_backward: bool = False) -> Watch:
    """As `running.watch`.

    An import makes only what stays: a collection meanwhile would find nothing, and cost as much
    as the import.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        from gradwatch_agent import running
    finally:
        if collects:
            gc.enable()
    return running.watch(name, wait_for_backward=wait_for_backward)
