"""Copies of weights that were made with a graph: `[p.clone() for p in model.parameters()]`."""

from __future__ import annotations

from typing import Final

from gradwatch_agent.graph.walking import inner
from gradwatch_agent.torch_seam import Node

_COPYING: Final = frozenset(
    (
        *("CloneBackward0", "ToCopyBackward0", "AliasBackward0", "ViewBackward0"),
        *("UnsafeViewBackward0", "ReshapeAliasBackward0", "TBackward0", "TransposeBackward0"),
        *("CatBackward0", "StackBackward0", "SliceBackward0", "SplitBackward0"),
    )
)
_MOST: Final = 4_096
"""Nodes that are looked at."""


def is_copy_of_leaves(stale: Node | None) -> bool:
    """Whether nothing was computed there: a gradient by it is one of the very leaves, which a step
    may have changed since the copy was made.
    """
    if stale is None:
        return False
    return all(node.name() in _COPYING for node in inner([stale], _MOST))
