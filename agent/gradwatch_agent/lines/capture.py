"""Which line built a node: short windows in which torch notes the traceback of each node made.

Owns the switch (torch's anomaly mode without its NaN check) and the reading of the notes. The
mode costs a multiple of a forward's time, so a window is one or two iterations long; it is
closed while the engine runs, so that errors look as they would without it, and left alone when
the user has switched it on himself.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from types import FrameType
from typing import Any, Final

import torch

from gradwatch_agent.guard import Guard
from gradwatch_agent.lines.sites import Site, call_sites, is_own
from gradwatch_agent.torch_seam import Node, sequence_number, write_notes, write_tracebacks

_NOTE = "traceback_"
"""Where torch keeps the traceback in a node's metadata."""

_ENTRY = re.compile(r'\s*File "(?P<file>.+)", line (?P<line>\d+), in (?P<function>.+)')


_MOST_NOTES: Final = 200_000
"""Nodes of one iteration whose lines are remembered by number, for those that die unreached."""

_FUNCTIONAL: Final = str(torch.nn.functional.__file__)
"""Where a module's inplace=True becomes an operation in place."""


class Note(list[str]):
    """What a node's metadata holds: a traceback as torch expects it, of the user's lines alone."""

    __slots__ = ("inplace", "sites")

    def __init__(self, sites: tuple[Site, ...], *, inplace: bool) -> None:
        super().__init__(
            f'  File "{s.file}", line {s.line}, in {s.function}\n' for s in sites[::-1]
        )
        self.sites = sites
        self.inplace = inplace


class Window:
    """Opened and closed by the training thread; never both by us and by the user."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard
        self._left = 0
        self.on = False
        """Whether it is we who have switched it on."""
        self._paused = False
        self._notes: dict[int, dict[int, tuple[Site, ...]]] = {}
        """By thread, for sequence numbers are each thread's own."""
        self._written: dict[tuple[int, bool], Note] = {}
        """What nodes that the same lines made have in common, by the id of those it keeps."""

    def notes(self) -> Mapping[int, tuple[Site, ...]]:
        """The lines that made each node of this iteration and thread, by its number."""
        return self._notes.get(threading.get_ident(), {})

    def open(self, iterations: int) -> None:
        """Nodes made from now on are noted, for so many iterations."""
        self._left = max(self._left, iterations)
        if self._paused:
            return  # an optimizer that steps inside the backward ends the iteration there
        if not torch.is_anomaly_enabled():
            self._switch(on=True)
            self.on = True

    def pause(self) -> bool:
        """Before the engine runs: whether `resume` is called for after it."""
        if not self._ours():
            return False
        self._switch(on=False)
        self._paused = True
        return True

    def resume(self) -> None:
        """After the engine has run; the window may have been closed meanwhile."""
        self._paused = False
        if self._left > 0:
            self._switch(on=True)
        else:
            self.on = False

    def iteration_ended(self) -> None:
        """Counts down, and closes."""
        self._notes.pop(threading.get_ident(), None)
        if self._left > 0:
            self._left -= 1
        if self._left == 0:
            self.close()

    def close(self) -> None:
        """No node is noted any more."""
        self._left = 0
        self._notes.clear()
        self._written.clear()
        if self._ours() and not self._paused:
            self._switch(on=False)
            self.on = False

    def _switch(self, *, on: bool) -> None:
        enabled, check_nan = on, not on  # off as torch has it at its start
        torch.set_anomaly_enabled(enabled, check_nan)
        if on:
            write_notes(self._note, self._guard)
        else:
            write_tracebacks()

    def _note(self, frame: FrameType) -> list[str]:
        """What torch writes into a node that is being made."""
        sites, inplace = call_sites(frame), _is_inplace(frame.f_back)
        notes = self._notes.setdefault(threading.get_ident(), {})
        if len(notes) < _MOST_NOTES:
            notes.setdefault(sequence_number() - 1, sites)
        key = (id(sites), inplace)
        note = self._written.get(key)
        if note is None:
            note = self._written[key] = Note(sites, inplace=inplace)
        return note

    def _ours(self) -> bool:
        """Whether it is we who have the mode on: a user's own comes with the check for NaN."""
        return self.on and torch.is_anomaly_enabled() and not torch.is_anomaly_check_nan_enabled()


def _is_inplace(frame: FrameType | None) -> bool:
    """Whether the operation was asked for in place through torch.nn.functional."""
    while frame is not None and frame.f_code.co_filename == _FUNCTIONAL:
        if "inplace" in frame.f_code.co_varnames:
            return bool(frame.f_locals.get("inplace"))
        frame = frame.f_back
    return False


def made_at(node: Node) -> tuple[Site, ...]:
    """The user's own lines on the way to the node's making, innermost first; empty if not noted."""
    note: Any = node.metadata.get(_NOTE) or ()
    if isinstance(note, Note):
        return note.sites
    sites = []
    for entry in reversed(note):
        match = _ENTRY.match(entry)
        if match and is_own(match["file"]):
            sites.append(Site(match["file"], int(match["line"]), match["function"]))
    return tuple(sites)


def made_in_place(node: Node) -> bool:
    """Whether the node is known to stand for an operation that was asked for in place."""
    note = node.metadata.get(_NOTE)
    return isinstance(note, Note) and note.inplace
