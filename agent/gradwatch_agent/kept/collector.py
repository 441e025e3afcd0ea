"""Full garbage collections, asked for to tell a leak from a Python cycle that nobody collected.

Owns how many of them a run may cost. None is asked for where the program has switched automatic
collections off and never collects by hand: there a cycle is a leak, and ours would only hide it.
"""

from __future__ import annotations

import gc
import time
from typing import Final

from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.syntax.text import lines

_MOST_S: Final = 0.5
"""What the collections of a run may take, in seconds of processor time. The first one is always
made: over a million objects it takes about that long."""

_OLDEST: Final = 2
_LAYERS: Final = (1, _OLDEST, _OLDEST, _OLDEST)
"""The generations of objects that are collected, until enough graphs have died: first the young,
for they are few; then all of them, for cycles that hang on one another are freed one by one."""


_FEW: Final = 3
"""Generations alive that are no suspicion."""


class Collector:
    """Of one training thread."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._spent_s = 0.0
        self._before = _collections()

    def collect(self) -> bool:
        """Whether what lives now is held by more than cycles that a collector would free; False
        where that may not be found out.
        """
        if not gc.isenabled() and _collections() == self._before and not _collects_by_hand():
            return True
        if self._spent_s > _MOST_S:
            return False
        began = time.thread_time()
        for generation in _LAYERS:
            found = gc.collect(generation)
            self._lineage.bury()
            if self._lineage.earlier() <= _FEW or (not found and generation == _OLDEST):
                break
        self._spent_s += time.thread_time() - began
        return True


def _collections() -> int:
    """Full collections of the process so far."""
    return int(gc.get_stats()[-1]["collections"])


def _collects_by_hand() -> bool:
    """Whether a statement of the program asks for a collection."""
    every = (line for file in own_files() for line in lines(file))
    return any("gc.collect(" in line or "import collect" in line for line in every)
