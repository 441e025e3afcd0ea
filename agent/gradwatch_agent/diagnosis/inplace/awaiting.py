"""What had been built from a weight, and waited for its backward, while a step changed it.

Holds nodes only while it is asked.
"""

from __future__ import annotations

from typing import Final

from gradwatch_agent.graph.walking import bottom_up
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.torch_seam import Node, edges, sequence_of

_MOST_NAMED: Final = 64
"""Nodes of which the names are sought; a loss is built from few values."""


def awaiting(roots: list[Node], outdated: Node, step: int, loss: str | None) -> str | None:
    """By which name what was built before `step` (where the numbering of nodes stood) is known, if
    the loss comes by it to the node whose weight was changed. Another name than `loss` if there is.
    """
    above = {outdated}
    tops = [outdated]
    for node in bottom_up(roots):
        if not above.isdisjoint(edges(node)):
            above.add(node)
            if sequence_of(node) < step:
                tops.append(node)
    lower = {child for node in tops for child in edges(node)}
    uppermost = [node for node in tops if node not in lower]
    names = names_of(uppermost[:_MOST_NAMED])
    paths = [path for node in uppermost for path in names.get(node, ())]
    best = min(paths, key=lambda path: (path.expression == loss, path.steps), default=None)
    return best.expression if best is not None else None
