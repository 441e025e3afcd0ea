"""What is the process's, and seen by each of its training threads: told by one of them. Pure."""

from __future__ import annotations

from typing import Final

from gradwatch_agent import wire

_OF_THE_PROCESS: Final = frozenset(("memory-climb", "oom-forecast"))


class Once:
    """Of all threads together."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}
        """The finding that is open of each such kind."""

    def admits(self, finding: wire.Finding) -> bool:
        """Whether it is to be told: not if another thread has told it already."""
        if finding.kind not in _OF_THE_PROCESS:
            return True
        first = self._told.setdefault(finding.kind, finding.id) == finding.id
        if first and finding.state == "resolved":
            del self._told[finding.kind]
        return first
