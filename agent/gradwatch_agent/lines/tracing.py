"""Python's own tracing of the user's lines, for an iteration: after which line is something new
in a slot.

Owns the thread's trace function and the frames it is set in, from `begin` to `end`. Must not know
why it watches.
"""

from __future__ import annotations

import sys
import time
import types
from collections.abc import Iterator, Mapping, Set
from typing import Any, Final

from gradwatch_agent.guard import Guard
from gradwatch_agent.lines.sites import Site, call_site, is_own
from gradwatch_agent.naming.frames import Locals
from gradwatch_agent.naming.slots import Arrived, Slot
from gradwatch_agent.torch_seam import plainly

_RESUMABLE: Final = 0x20 | 0x80 | 0x200
"""The flags of generators, coroutines, asynchronous generators."""

_COROUTINES: Final = 0x80 | 0x200


class Stores:
    """What was seen of one slot."""

    def __init__(self, slot: Slot) -> None:
        self.slot = slot
        self.there: Arrived = frozenset()
        self.lines: dict[Site, None] = {}
        """The lines that stored, in the order in which they first did."""
        self.returns: dict[Site, None] = {}
        """Those that had just handed something back when it was stored: a cache stores that."""

    def keep(self, moved: Set[tuple[str, str]]) -> None:
        """Of the lines, those of functions that went on meanwhile: a call that lasts for the whole
        iteration is of a library that runs the loop, and stores what was handed back to it.
        """
        self.lines = {site: None for site in self.lines if (site.file, site.function) in moved}


class Tracing:
    """Of one thread, once; for at most so many seconds of its own work."""

    def __init__(self, slots: Mapping[str, Slot], most_s: float, guard: Guard) -> None:
        self._guard = guard
        self.stores = {name: Stores(slot) for name, slot in slots.items()}
        self._left_s = most_s
        self.took_s = 0.0
        self._on = False
        self._at: Site | None = None
        """The line that runs."""
        self._returned: Site | None = None
        """The line that has just handed back a function's result."""
        self._moved: set[tuple[str, str]] = set()
        """The functions, by file and name, of which another line came to run."""
        self._suspended: set[types.FrameType] = set()

    def begin(self) -> None:
        """From here on, in the frames that run and in those to come."""
        local = Locals()
        frames = list(stack(sys._getframe()))  # noqa: SLF001
        for each in self.stores.values():
            each.slot.begin()
            for frame in reversed(frames):
                each.slot.enter(frame, local.of(frame))
            each.there = each.slot.tensors()
        local.clear()
        for frame in frames:
            frame.f_trace = self._line
        self._at = call_site(sys._getframe())  # noqa: SLF001
        self._on = True
        sys.settrace(self._call)

    def end(self) -> None:
        """Takes everything back; harmless from another thread, where the next call ends it."""
        if self._on and sys.gettrace() == self._call:  # else what ran last is not known
            self._look(None)
        self._stop()
        self._on = False
        for each in self.stores.values():
            each.slot.clear()
            each.keep(self._moved)
        local = Locals()
        for frame in (*stack(sys._getframe()), *self._suspended):  # noqa: SLF001
            if frame.f_trace == self._line:  # else a debugger's, by now
                frame.f_trace = None
            local.of(frame)  # the snapshot that tracing left in the frame goes as well
        local.clear()
        self._suspended.clear()

    def _stop(self) -> None:
        """Traces no more, unless it is another's by now."""
        if sys.gettrace() == self._call:
            sys.settrace(None)

    def _call(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        """A frame is entered: only the user's own are followed."""
        if not self._on:
            sys.settrace(None)
            return None
        if not is_own(frame.f_code.co_filename):
            return None
        return self._line(frame, event, argument)

    def _line(self, frame: types.FrameType, event: str, _: Any) -> Any:
        """What ran before this has been done: looks what it left behind."""
        if not self._on:
            return None
        began = time.perf_counter()
        done = self._guard.call("lines", self._see, frame, event)
        took_s = time.perf_counter() - began
        self._left_s -= took_s
        self.took_s += took_s
        if not done or self._left_s <= 0:
            self._stop()
            return None
        return self._line

    def _see(self, frame: types.FrameType, event: str) -> bool:
        """True, if all of it went well."""
        if event == "call":  # what a parameter brings along was not stored now
            with plainly():
                for each in self.stores.values():
                    if each.slot.enter(frame, frame.f_locals):
                        each.there |= each.slot.tensors()
        self._look(frame)
        self._note(frame, event)
        return True

    def _note(self, frame: types.FrameType, event: str) -> None:
        """Which line runs from here."""
        here = Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        if event == "line":
            self._moved.add((here.file, here.function))
        self._returned = here if event == "return" else None
        self._at = here
        if event == "return" and not _goes_to_a_loop(frame):
            self._at = call_site(frame.f_back)
        if event == "return" and frame.f_code.co_flags & _RESUMABLE:
            self._suspended.add(frame)

    def _look(self, frame: types.FrameType | None) -> None:
        local = frame.f_locals if frame is not None else {}
        with plainly():
            for each in self.stores.values():
                if frame is not None:
                    each.slot.enter(frame, local)
                now = each.slot.tensors()
                if self._at is not None and not now <= each.there:
                    each.lines.setdefault(self._at)
                    if self._returned is not None:
                        each.returns.setdefault(self._returned)
                each.there = now


def _goes_to_a_loop(frame: types.FrameType) -> bool:
    """Whether a coroutine hands back to an event loop, which keeps what it returned in its task."""
    back = frame.f_back
    return (
        bool(frame.f_code.co_flags & _COROUTINES)
        and back is not None
        and not is_own(back.f_code.co_filename)
    )


def stack(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    """The user's own frames, the innermost first."""
    while frame is not None:
        if is_own(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back
