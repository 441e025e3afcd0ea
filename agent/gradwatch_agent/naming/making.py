"""By which names the tensors go that some nodes made."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from gradwatch_agent.naming.found import Found
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.naming.search import search
from gradwatch_agent.torch_seam import Node


class _Named(Found):
    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = set(nodes)
        self.paths: dict[Node, list[Path]] = {}
        self._again: dict[Path, Path] = {}

    def node(self, node: Node, path: Path) -> None:
        if node in self._nodes:
            self.paths.setdefault(node, []).append(path)

    def again(self, first: Path, path: Path) -> None:
        self._again.setdefault(first, path)

    def by_all_ways(self) -> dict[Node, list[Path]]:
        """Those by way of the containers, too, in which things lie that have names of their own."""
        for found in self.paths.values():
            found += [
                path.by_way_of(step, self._again[step])
                for path in found
                for step in path.back()
                if step in self._again
            ]
        return self.paths


def names_of(nodes: Iterable[Node], *, closely: bool = False) -> dict[Node, list[Path]]:
    """By which names the tensors go that these nodes made; `closely`: in generators that wait in
    loops' heads, too.
    """
    named = _Named(nodes)
    search(named, sys._getframe(), closely=closely)  # noqa: SLF001
    return named.by_all_ways()
