"""Where names begin: the locals of live frames, of waiting generators and coroutines."""

from __future__ import annotations

import dis
import functools
import gc
import inspect
import sys
import sysconfig
import threading
import types
from collections.abc import Container, Iterator
from itertools import compress
from typing import Any, Final

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.loop import training
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.source.syntax.text import mentions

_SCRIPTS: Final = sysconfig.get_path("scripts")
"""Where those programs are installed that start others: a test runner, `gradwatch` itself."""


COMPREHENSIONS: Final = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))
"""Codes that are a part of the function around, up to Python 3.11 with frames of their own."""

_WAITING: Final = {
    types.GeneratorType: "gi",
    types.AsyncGeneratorType: "ag",
    types.CoroutineType: "cr",
}
"""What a loop may draw from, or an event loop go on with, and how its attributes begin."""

_WORDS: Final = ("yield", "await")
"""What is in the source of any of them."""


def live(skip: types.FrameType | None) -> Iterator[types.FrameType]:
    """The user's frames, outermost first; `skip` and those below are not his.

    Of all threads but others that train: their tensors change while they are looked at.
    """
    mine = skip.f_back if skip is not None else None
    frames = sys._current_frames()  # noqa: SLF001
    del frames[threading.get_ident()]  # this very frame: a cycle that would keep them all
    others = (frame for ident, frame in frames.items() if ident not in training.threads)
    stacks = [mine, *(frame for frame in others if not _is_below(frame, skip))]
    for top in stacks:
        for frame in reversed(list(outward(top))):
            if is_own(frame.f_code.co_filename):
                yield frame


def reaching(skip: types.FrameType) -> list[types.FrameType]:
    """The user's frames of this thread, outermost first, as far as no library's came between: what
    that calls, it may call again and again.
    """
    around = list(outward(skip.f_back))
    files = [frame.f_code.co_filename for frame in around]
    own = [is_own(file) and not file.startswith(_SCRIPTS) for file in files]
    first = max((place for place, is_users in enumerate(own) if is_users), default=-1)
    last = next((place for place in range(first, -1, -1) if not own[place]), -1)
    return around[last + 1 : first + 1][::-1]


def line_of(file: str, first: int) -> int:
    """The line where this thread now is in the function that begins in that one, the module for 0;
    0 if it is not there.
    """
    for frame in outward(sys._getframe()):  # noqa: SLF001
        code = frame.f_code
        if code.co_filename == file and (
            code.co_firstlineno == first if first else code.co_name == "<module>"
        ):
            return frame.f_lineno
    return 0


def running() -> set[int]:
    """The ids of all frames of all threads that have not ended."""
    frames = sys._current_frames()  # noqa: SLF001
    frames[threading.get_ident()] = sys._getframe(1)  # noqa: SLF001  never this very one: a cycle
    return {id(frame) for top in frames.values() for frame in outward(top)}


def waiting() -> Iterator[types.FrameType]:
    """The frames of the user's generators and coroutines that wait: one in a loop's head goes by
    no name, nor does a task.

    None while other threads train: it might be theirs.
    """
    own = {file for file, _ in own_modules()}
    files = {file for file in own if any(mentions(file, word) for word in _WORDS)}
    if not files or not alone():
        return
    everything = gc.get_objects()
    kinds = {id(kind): prefix for kind, prefix in _WAITING.items()}
    # No line of Python for each of a million; and nothing asked of a class of the user's.
    wanted = map(kinds.__contains__, map(id, map(type, everything)))
    found = [(value, kinds[id(type(value))]) for value in compress(everything, wanted)]
    del everything
    for value, prefix in found:
        running = getattr(value, f"{prefix}_running")
        frame = None if running else getattr(value, f"{prefix}_frame")
        if frame is not None and frame.f_code.co_filename in files:
            yield frame


def alone() -> bool:
    """Whether no other thread trains, which might be changing a shared parameter's gradient."""
    return training.threads.isdisjoint(sys._current_frames().keys() - {threading.get_ident()})  # noqa: SLF001


class Locals:
    """Reads frames' locals, and takes the snapshots back out of the frames."""

    def __init__(self) -> None:
        self._snapshots: list[dict[str, Any]] = []

    def of(self, frame: types.FrameType) -> dict[str, Any]:
        """Up to Python 3.12 the frame keeps this snapshot, and all that was in it, alive."""
        local = frame.f_locals
        optimized = frame.f_code.co_flags & inspect.CO_OPTIMIZED
        if sys.version_info < (3, 13) and optimized and not _reads_snapshot(frame.f_code):
            self._snapshots.append(local)
        return local

    def clear(self) -> None:
        """Lets go of all that was read."""
        for snapshot in self._snapshots:
            snapshot.clear()
        self._snapshots.clear()


def names_in(frame: types.FrameType, identities: Container[int]) -> dict[int, list[str]]:
    """The local variables there that stand for what has one of those `id`s, by it."""
    local = Locals()
    found: dict[int, list[str]] = {}
    try:
        for name, value in local.of(frame).items():
            if id(value) in identities:
                found.setdefault(id(value), []).append(name)
        return found
    finally:
        local.clear()


_READERS: Final = frozenset({"locals", "vars", "exec", "eval"})
"""The builtins through which a function may read the snapshot of its own locals."""


@functools.lru_cache(maxsize=1_024)
def _reads_snapshot(code: types.CodeType) -> bool:
    """Whether the function calls one of them; `model.eval()` has the name, but is none."""
    return not _READERS.isdisjoint(code.co_names) and any(
        step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval in _READERS
        for step in dis.get_instructions(code)
    )


def outward(frame: types.FrameType | None) -> Iterator[types.FrameType]:
    """The frame, its caller, and so on."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _is_below(frame: types.FrameType, skip: types.FrameType | None) -> bool:
    """Whether the frame is one that the agent itself runs in."""
    return skip is not None and any(above is skip for above in outward(frame))
