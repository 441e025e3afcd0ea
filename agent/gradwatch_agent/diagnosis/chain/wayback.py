"""The way from where a backward starts to the nearest node of an earlier iteration.

Owns a bounded walk through the newest nodes, on suspicion only; holds no node when it returns.
Must not know who carries that node, nor what is concluded.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of
from gradwatch_agent.wire import Step

_MOST_NODES: Final = 50_000
"""Nodes looked at, the nearest first; about 0.05 s. A way that is longer is not told."""

_AT_EITHER_END: Final = 8
"""Steps told from the loss on, and before the crossing; what is between is only counted."""


def way_back(roots: Iterable[Node], lineage: Lineage) -> tuple[Step, ...]:
    """The shortest way, both ends included; empty if none was found."""
    came: dict[Node, Node | None] = dict.fromkeys(roots)
    waiting = deque(came)
    while waiting:
        node = waiting.popleft()
        if sequence_of(node) < lineage.start:
            return _told(node, came, lineage)
        for child in edges(node):
            is_new = child not in came and sequence_of(child) < LEAF
            if is_new and len(came) < _MOST_NODES:
                came[child] = node
                waiting.append(child)
    return ()


def _told(last: Node, came: dict[Node, Node | None], lineage: Lineage) -> tuple[Step, ...]:
    way = [last]
    while (above := came[way[-1]]) is not None:
        way.append(above)
    way.reverse()
    left_out = max(0, len(way) - 2 * _AT_EITHER_END)
    head = [_step(node, lineage) for node in way[: len(way) - left_out - _AT_EITHER_END]]
    tail = [_step(node, lineage) for node in way[len(head) + left_out + 1 :]]
    if len(head) + left_out < len(way):
        tail.insert(0, _step(way[len(head) + left_out], lineage, left_out))
    return (*head, *tail)


def _step(node: Node, lineage: Lineage, skipped: int = 0) -> Step:
    site = next(iter(made_at(node)), None)
    return Step(
        op=type(node).__name__,
        iteration=lineage.generation_of(sequence_of(node)),
        file=site.file if site else None,
        line=site.line if site else None,
        skipped=skipped,
    )
