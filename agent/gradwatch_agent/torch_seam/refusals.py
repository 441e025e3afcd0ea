"""What torch says when it refuses a backward or a saved tensor; seen in 2.4 to 2.13."""

from __future__ import annotations

from typing import Final

SECOND_TIME: Final = "backward through the graph a second time"
INPLACE: Final = "modified by an inplace operation"
NO_GRAPH: Final = "does not require grad"

FREED: Final = "after it has been freed"
"""Of a saved tensor whose buffer is gone."""
