"""What torch says when it refuses a backward, a saved tensor or memory; seen in 2.4 to 2.13."""

from __future__ import annotations

from typing import Final

SECOND_TIME: Final = "backward through the graph a second time"
INPLACE: Final = "modified by an inplace operation"
NO_GRAPH: Final = "does not require grad"

_NO_MEMORY: Final = (
    "out of memory",
    "can't allocate memory",
    "not enough memory: you tried to allocate",
)
"""Of a device, and of the host on Linux and Windows."""

FREED: Final = "after it has been freed"
"""Of a saved tensor whose buffer is gone."""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an allocation failed, on the host or on a device."""
    if isinstance(error, RuntimeError):
        return any(word in str(error) for word in _NO_MEMORY)
    return isinstance(error, MemoryError)
