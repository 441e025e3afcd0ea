"""Of which iterations the graphs are that lie below what names lead to, by the marks that backwards
have set on their nodes. Keeps nodes until the search is over.
"""

from __future__ import annotations

from typing import Final

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.sentinels import sentinel_of
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of

_MOST_NODES: Final = 100_000
"""Nodes walked below what names lead to; about 50 ms."""


class Marked:
    """What backwards have freed, and what they have retained. Each node is looked at once."""

    def __init__(self, lineage: Lineage) -> None:
        self.spent: set[int] = set()
        """The earlier iterations of graphs that a backward has freed."""
        self.retained: set[int] = set()
        """The same of those that a backward may come back to."""
        self.every: set[int] = set()
        """Both: of one iteration a backward may have freed a part and retained another."""
        self._lineage = lineage
        self._seen: dict[Node, bool] = {}
        """Whether a spent graph lies below."""

    def has_met(self, node: Node) -> bool:
        """Whether a name has led to it, or to what was computed of it."""
        return node in self._seen

    def below(self, root: Node, *, wanted: bool) -> tuple[set[int], bool]:
        """The earlier iterations whose retained graphs lie below, and whether spent ones do.
        `wanted`: a backward may come back to them.

        What a backward retained, one of the same iteration may have freed that came after it: a
        derivative's graph, by the backward of the loss.
        """
        kept: dict[bool, set[int]] = {True: set(), False: set()}  # spent, and retained ones
        spent = False
        met: list[Node] = []
        waiting = [root]
        while waiting and len(self._seen) < _MOST_NODES:
            node = waiting.pop()
            if sequence_of(node) >= LEAF:
                continue
            if node in self._seen:
                spent = spent or self._seen[node]
                continue
            self._seen[node] = False
            met.append(node)
            mark, own = sentinel_of(node), self._lineage.own(node)
            if own is not None and own.generation < self._lineage.current:
                kept[own.spent].add(own.generation)
            spent = spent or (mark is not None and mark.spent)
            waiting.extend(edges(node))
        if spent:
            self._seen.update(dict.fromkeys(met, True))
        self.spent |= kept[True]
        self.retained |= kept[False] if wanted else set()
        self.every |= kept[True] | kept[False]
        return kept[False] - kept[True], spent
