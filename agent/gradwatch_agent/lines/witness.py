"""Which statement it is that stores: seen, not inferred.

Has the names that a diagnosis has come to watched while the next iterations run: the line after
which something new lies there has put it there. Owns when, how long and which. Never where a
debugger traces, where other threads might store unseen, or where code is compiled.
"""

from __future__ import annotations

import sys
import threading
import types
from typing import Final

from gradwatch_agent.guard import Guard
from gradwatch_agent.lines.sites import Site, is_installed
from gradwatch_agent.lines.tracing import Tracing
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.slots import Slot
from gradwatch_agent.torch_seam import compiles

_ITERATIONS: Final = 8
"""Those in which a name is watched: some are stored into now and then only."""

_MOST_S: Final = 0.1
_MOST_OF_A_CHECK_S: Final = 1.0
"""What all watching of a run may take, in seconds."""


class Witness:
    """Of one training thread. `thorough`: a check, which takes its time."""

    def __init__(self, guard: Guard, *, thorough: bool) -> None:
        self._guard = guard
        self._wanted: dict[str, tuple[Path, int]] = {}
        """Names to be watched, and for how many iterations yet."""
        self._seen: dict[str, tuple[Site, ...]] = {}
        self._tracing: Tracing | None = None
        """In this iteration."""
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
        name = f"{path.file}:{path.line}:{path.expression}"
        if name not in self._seen:
            self._wanted.setdefault(name, (path, _ITERATIONS))
        return self._seen.get(name, ())

    @property
    def watches(self) -> bool:
        """Whether it does so in this iteration."""
        return self._tracing is not None

    def begin(self) -> None:
        """An iteration begins."""
        slots = {name: Slot(path) for name, (path, left) in self._wanted.items() if left}
        if not slots or self._left_s <= 0 or sys.gettrace() is not None:
            return
        if not compiles() and _alone():
            self._tracing = Tracing(slots, self._left_s, self._guard)
            self._tracing.begin()

    def end(self) -> None:
        """The iteration is over: what was seen of it is to be had from now on."""
        tracing, self._tracing = self._tracing, None
        if tracing is None:
            return
        tracing.end()
        self._left_s -= tracing.took_s
        self.took_s += tracing.took_s
        for name, stores in tracing.stores.items():
            path, left = self._wanted.pop(name)
            if seen := (*stores.returns, *stores.lines):
                self._seen[name] = seen
                self.news = True
            else:
                self._wanted[name] = path, left - 1


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
