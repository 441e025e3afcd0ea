"""Full garbage collections, asked for to tell a leak from a Python cycle that nobody collected.

Owns how many of them a run may cost.
"""

from __future__ import annotations

import gc

from gradwatch_agent.lineage import Lineage
from gradwatch_agent.verdicts import Verdicts

_COLLECTIONS = 8
"""Full collections the agent may ask for in a run; each may take tens of ms."""

_LAYERS = 4
"""Collections in a row: cycles that hang on one another are freed one layer at a time."""


class Collector:
    """Of one training thread."""

    def __init__(self, lineage: Lineage, verdicts: Verdicts) -> None:
        self._lineage = lineage
        self._verdicts = verdicts
        self._collections = 0

    def collect_if_suspicious(self, before: int | None) -> bool:
        """Collects if so many graphs are held that it matters; whether it did.

        Graphs since `before` are reached by the loss, and not suspicious.
        """
        lineage = self._lineage
        suspicious = self._verdicts.would_collect(lineage.held(before), lineage.earlier())
        if not suspicious or self._collections >= _COLLECTIONS:
            return False
        self._collections += 1
        for _ in range(_LAYERS):  # what a cycle holds through C++ is only seen once that is gone
            if not gc.collect():
                break
        lineage.bury()
        return True
