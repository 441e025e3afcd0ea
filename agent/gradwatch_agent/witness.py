"""Which statement it is that stores: seen, not inferred.

Watches the names that a diagnosis has come to while the next iterations run, line by line, by
Python's own tracing: the line after which something new lies there has put it there. Owns the
tracing: never where a debugger has it, where other threads might store unseen, or where code is
compiled, and for a short time only.
"""

from __future__ import annotations

import sys
import threading
import time
import types
from collections.abc import Iterator
from typing import Any, Final

from gradwatch_agent.naming import Path
from gradwatch_agent.naming.frames import Locals
from gradwatch_agent.naming.slots import Arrived, Slot
from gradwatch_agent.sites import Site, call_site, is_installed, is_own
from gradwatch_agent.torch_seam import compiles, plainly

_ITERATIONS: Final = 8
"""Those in which a name is watched: some are stored into now and then only."""

_MOST_S: Final = 0.1
_MOST_OF_A_CHECK_S: Final = 1.0
"""What all watching of a run may take, in seconds."""

_NOTHING: Arrived = frozenset()

_RESUMABLE: Final = 0x20 | 0x80 | 0x200
"""The flags of generators, coroutines, asynchronous generators."""


class _Watched:
    """One name."""

    def __init__(self, path: Path) -> None:
        self.slot = Slot(path)
        self.there: Arrived = _NOTHING
        self.stored: dict[Site, None] = {}
        """The lines that stored, in the order in which they first did."""
        self.given: dict[Site, None] = {}
        """Those that had just handed something back when it was stored."""


class Witness:
    """Of one training thread. `thorough`: a check, which takes its time."""

    def __init__(self, *, thorough: bool) -> None:
        self._wanted: dict[str, tuple[Path, int]] = {}
        """Names to be watched, and for how many iterations yet."""
        self._seen: dict[str, tuple[Site, ...]] = {}
        self._watched: dict[str, _Watched] = {}
        """In this iteration."""
        self._at: Site | None = None
        """The line that runs."""
        self._returned: Site | None = None
        """The line that has just handed back a function's result."""
        self._suspended: set[types.FrameType] = set()
        self._left_s = _MOST_OF_A_CHECK_S if thorough else _MOST_S
        self.took_s = 0.0
        """What watching has taken since this was last set back."""
        self.news = False
        """Whether something was seen since this was last set back."""

    def stored(self, path: Path) -> tuple[Site, ...]:
        """The lines that were seen to store there, and before them those that had just handed
        something back, for a cache stores what a function returns. A name asked for is watched
        from now on.
        """
        name = _name(path)
        if name not in self._seen:
            self._wanted.setdefault(name, (path, _ITERATIONS))
        return self._seen.get(name, ())

    @property
    def watches(self) -> bool:
        """Whether it does so in this iteration."""
        return bool(self._watched)

    def begin(self) -> None:
        """An iteration begins."""
        waiting = {name: path for name, (path, left) in self._wanted.items() if left}
        if not waiting or self._left_s <= 0 or sys.gettrace() is not None:
            return
        if compiles() or not _alone():
            return
        self._watched = {name: _Watched(path) for name, path in waiting.items()}
        self._at = None
        local = Locals()
        frames = list(_stack(sys._getframe()))  # noqa: SLF001
        for watched in self._watched.values():
            watched.slot.begin()
            for frame in reversed(frames):
                watched.slot.enter(frame, local.of(frame))
            watched.there = watched.slot.tensors()
        local.clear()
        for frame in frames:
            frame.f_trace = self._line
        self._at = call_site(sys._getframe())  # noqa: SLF001
        sys.settrace(self._call)

    def end(self) -> None:
        """The iteration is over: what was seen of it is to be had from now on."""
        if not self._watched:
            return
        self._stop()
        self._look(None)
        for name, watched in self._watched.items():
            path, left = self._wanted.pop(name)
            if watched.stored:
                self._seen[name] = (*watched.given, *watched.stored)
                self.news = True
            else:
                self._wanted[name] = path, left - 1
            watched.slot.clear()
        self._watched = {}
        self._leave()

    def _stop(self) -> None:
        """Traces no more, unless it is another's by now."""
        if sys.gettrace() == self._call:
            sys.settrace(None)

    def _leave(self) -> None:
        """Takes everything back out of the frames, the snapshots of their locals too."""
        local = Locals()
        for frame in (*_stack(sys._getframe()), *self._suspended):  # noqa: SLF001
            frame.f_trace = None
            local.of(frame)
        local.clear()
        self._suspended.clear()

    def _call(self, frame: types.FrameType, event: str, argument: Any) -> Any:
        """A frame is entered: only the user's own are followed."""
        if not self._watched:
            sys.settrace(None)
            return None
        if not is_own(frame.f_code.co_filename):
            return None
        if event == "call":  # what a parameter brings along was not stored now
            for watched in self._watched.values():
                if watched.slot.enter(frame, frame.f_locals):
                    watched.there |= watched.slot.tensors()
        return self._line(frame, event, argument)

    def _line(self, frame: types.FrameType, event: str, _: Any) -> Any:
        """What ran before this has been done: looks what it left behind."""
        if not self._watched:
            return None
        began = time.perf_counter()
        try:
            self._look(frame)
            self._returned = None
            if event == "return":
                self._returned, self._at = _line_of(frame), call_site(frame.f_back)
                if frame.f_code.co_flags & _RESUMABLE:
                    self._suspended.add(frame)
            else:
                self._at = _line_of(frame)
        except Exception:  # noqa: BLE001 - it runs amid the user's lines, where no guard stands
            self._left_s = 0.0
        took_s = time.perf_counter() - began
        self._left_s -= took_s
        self.took_s += took_s
        if self._left_s <= 0:
            self._stop()
            return None
        return self._line

    def _look(self, frame: types.FrameType | None) -> None:
        local = frame.f_locals if frame is not None else {}
        with plainly():
            for watched in self._watched.values():
                if frame is not None:
                    watched.slot.enter(frame, local)
                now = watched.slot.tensors()
                if self._at is not None and not now <= watched.there:
                    watched.stored.setdefault(self._at)
                    if self._returned is not None:
                        watched.given.setdefault(self._returned)
                watched.there = now


def _line_of(frame: types.FrameType) -> Site:
    return Site(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def _alone() -> bool:
    """Whether no other thread may run the user's code: what it stores would not be seen."""
    frames = sys._current_frames()  # noqa: SLF001
    del frames[threading.get_ident()]
    return all(map(_is_a_librarys, frames.values()))


def _is_a_librarys(frame: types.FrameType | None) -> bool:
    """Whether a thread was begun by an installed package for itself, as a progress bar's; those
    of a pool of the standard library's run whatever they are given.
    """
    begun_by = ""
    while frame is not None:
        if frame.f_code.co_filename != threading.__file__:
            begun_by = frame.f_code.co_filename
        frame = frame.f_back
    return is_installed(begun_by)


def _name(path: Path) -> str:
    return f"{path.file}:{path.line}:{path.expression}"


def _stack(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    """The user's own frames, the innermost first."""
    while frame is not None:
        if is_own(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back
