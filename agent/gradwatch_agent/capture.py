"""Which line built a node: short windows in which torch notes the traceback of each node made.

Owns the switch (torch's anomaly mode without its NaN check) and the reading of the notes. The
mode costs a multiple of a forward's time, so a window is one or two iterations long; it is
closed while the engine runs, so that errors look as they would without it, and left alone when
the user has switched it on himself.
"""

from __future__ import annotations

import re

import torch

from gradwatch_agent.sites import Site, is_own
from gradwatch_agent.torch_seam import Node

_NOTE = "traceback_"
"""Where torch keeps the traceback in a node's metadata."""

_ENTRY = re.compile(r'\s*File "(?P<file>.+)", line (?P<line>\d+), in (?P<function>.+)')


class Window:
    """Opened and closed by the training thread; never both by us and by the user."""

    def __init__(self) -> None:
        self._left = 0
        self.on = False
        """Whether it is we who have switched it on."""
        self._paused = False

    def open(self, iterations: int) -> None:
        """Nodes made from now on are noted, for so many iterations."""
        self._left = max(self._left, iterations)
        if self._paused:
            return  # an optimizer that steps inside the backward ends the iteration there
        if not torch.is_anomaly_enabled():
            _switch(on=True)
            self.on = True

    def pause(self) -> bool:
        """Before the engine runs: whether `resume` is called for after it."""
        if not self._ours():
            return False
        _switch(on=False)
        self._paused = True
        return True

    def resume(self) -> None:
        """After the engine has run; the window may have been closed meanwhile."""
        self._paused = False
        if self._left > 0:
            _switch(on=True)
        else:
            self.on = False

    def iteration_ended(self) -> None:
        """Counts down, and closes."""
        if self._left > 0:
            self._left -= 1
        if self._left == 0:
            self.close()

    def close(self) -> None:
        """No node is noted any more."""
        self._left = 0
        if self._ours() and not self._paused:
            _switch(on=False)
            self.on = False

    def _ours(self) -> bool:
        """Whether it is we who have the mode on: a user's own comes with the check for NaN."""
        return self.on and torch.is_anomaly_enabled() and not torch.is_anomaly_check_nan_enabled()


def _switch(*, on: bool) -> None:
    enabled, check_nan = on, not on  # off as torch has it at its start
    torch.set_anomaly_enabled(enabled, check_nan)


def made_at(node: Node) -> tuple[Site, ...]:
    """The user's own lines on the way to the node's making, innermost first; empty if not noted."""
    sites = []
    for entry in reversed(node.metadata.get(_NOTE) or ()):
        match = _ENTRY.match(entry)
        if match and is_own(match["file"]):
            sites.append(Site(match["file"], int(match["line"]), match["function"]))
    return tuple(sites)
