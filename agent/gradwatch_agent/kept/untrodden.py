"""Graphs that no backward has freed, by the names that keep them: which of those nobody will come
back to. Must not know nodes.
"""

from __future__ import annotations

from typing import Final

from gradwatch_agent.kept.bounds import ELSEWHERE
from gradwatch_agent.kept.rooms import Rooms
from gradwatch_agent.kept.unspent import OLD, Grown

_FEW: Final = 2
"""Iterations in which a graph has grown that make it worth another look."""

_SOME: Final = 3
"""Changes of a leaf that make a hint of it."""

_ENOUGH: Final = 8
"""Graphs that nobody has come back to which make a collection."""

_TRAINED: Final = 8
"""Changes of a leaf, between two looks at a graph, that are training."""

_AGAIN: Final = 2
"""The same where what keeps the graph is known to grow without end."""


class Untrodden:
    """Those of one look, by name."""

    def __init__(self) -> None:
        self._grown: dict[str, Grown] = {}

    def add(self, name: str, graph: Grown) -> None:
        """A graph that the name keeps."""
        if graph.generations:
            self._grown.setdefault(name, Grown()).take(graph)

    def given_up(
        self, sizes: dict[str, int], current: int, rooms: Rooms
    ) -> tuple[dict[str, set[int]], dict[str, set[int]]]:
        """The dead ones, and those of which it is early to say. Dead they are if since an earlier
        look their leaves were trained; soon where ever more will come to be, for nobody will come
        back to all of that. `sizes`: changes of leaves, from one look to the next.

        An episode's sum waits for the actor's backward as well; but the actor waits with it.
        """
        dead: dict[str, set[int]] = {}
        early: dict[str, set[int]] = {}
        for name, graph in self._grown.items():
            generations = graph.generations
            first = min(generations)
            trained = _trained(graph, f"{name} since {first}", sizes, current)
            if len(generations) < _FEW:
                continue
            if rooms.is_endless(name):
                (dead if trained >= _AGAIN else early)[name] = set(generations)
            elif len(generations) < _ENOUGH:
                continue
            elif current - first >= OLD and trained >= _TRAINED:
                dead[name] = set(generations)
            elif trained >= _SOME or len(generations) >= ELSEWHERE:
                early[name] = set(generations)
        return dead, early


def _trained(graph: Grown, since: str, sizes: dict[str, int], current: int) -> int:
    """How often the leaves were changed since an earlier look: in place, by what was put in their
    place, which the graph itself tells, or by other data that they were given.
    """
    changed = graph.changes - sizes.setdefault(since, graph.changes)
    looked = sizes.setdefault(f"{since}, looked at", current)
    stays = sizes.setdefault(f"{since}, storage", graph.storage) == graph.storage
    return max(changed, graph.replaced, 0 if stays else current - looked)
