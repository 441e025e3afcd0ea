"""Which functions are called anew for each iteration: what is a variable of theirs carries nothing
from one iteration to the next.

Seen, where it was noted which calls ran when the last iteration ended; else told by the source:
those within the innermost loop that runs.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Final, TypeAlias

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.frames import COMPREHENSIONS, outward
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.statements import body_around

Anew: TypeAlias = frozenset[tuple[str, int]]
"""The functions: file and first line."""

_LASTING: Final = (
    inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
    | inspect.CO_ITERABLE_COROUTINE
)
"""What may be gone on with in the next iteration."""


class _Mark:
    """Lies where a frame has its trace function: it ends with the frame, and holds nothing. Nobody
    looks there while nothing traces; a debugger that begins to puts its own in that place.
    """

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        """Traces nothing."""


class Calls:
    """Of one training thread: the calls of the user's functions that ran when an iteration ended.

    A frame that is gone is not told by its address: the next one often has the same.
    """

    def __init__(self) -> None:
        self._mark: _Mark | None = None
        self._ran: Anew = frozenset()

    def note(self, frame: FrameType) -> None:
        """An iteration ends here."""
        self._mark = None
        frames = [each for each in outward(frame) if is_own(each.f_code.co_filename)]
        if sys.gettrace() is not None or any(map(_is_anothers, frames)):
            return
        self._mark, self._ran = _Mark(), _functions(frames)
        for each in frames:
            each.f_trace = self._mark

    def lapse(self) -> None:
        """One has ended, and it was not noted."""
        self._mark = None

    def clear(self, frame: FrameType) -> None:
        """Takes the marks off the calls that run."""
        for each in outward(frame):
            if isinstance(each.f_trace, _Mark):
                each.f_trace = None

    def anew(self, frame: FrameType) -> Anew:
        """The functions of which no call lasts from the end of that iteration to this frame."""
        lasting = list(self._lasting(frame))
        if not lasting:
            return called_anew(frame)
        frames = [each for each in outward(frame) if is_own(each.f_code.co_filename)]
        return (self._ran | _functions(frames)) - _functions(lasting)

    def loop(self, frame: FrameType) -> FrameType | None:
        """The innermost call that lasts from that iteration to this one; where that was not noted,
        the one whose loop runs.
        """
        return next(self._lasting(frame), None) or _around(frame)[1]

    def _lasting(self, frame: FrameType) -> Iterator[FrameType]:
        for each in outward(frame):
            if each.f_trace is self._mark is not None and is_own(each.f_code.co_filename):
                yield each


def _is_anothers(frame: FrameType) -> bool:
    """Whether a debugger that rests just now has its trace function there."""
    return not (frame.f_trace is None or isinstance(frame.f_trace, _Mark))


def _functions(frames: list[FrameType]) -> Anew:
    """Without those that may be gone on with in the next iteration, wherever they wait."""
    codes = [each.f_code for each in frames if not each.f_code.co_flags & _LASTING]
    return frozenset((code.co_filename, code.co_firstlineno) for code in codes)


def called_anew(frame: FrameType) -> Anew:
    """Of the user's functions that run; none if no loop does, be it a library's."""
    return _functions(_around(frame)[0])


def _around(frame: FrameType) -> tuple[list[FrameType], FrameType | None]:
    """The user's calls within the innermost loop that runs, and the one whose loop it is; None if
    it is a library's, or there is none.
    """
    inner: list[FrameType] = []
    for each in outward(frame):
        own = is_own(each.f_code.co_filename)
        if inner and not own:
            return inner, None
        if own and _loops(each):
            return inner, each
        if own:
            inner.append(each)
    return [], None


def _loops(frame: FrameType) -> bool:
    """Whether it is in a loop of its own just now."""
    code = frame.f_code
    if code.co_name in COMPREHENSIONS:
        return True
    body = body_around(code.co_filename, frame.f_lineno)
    if body is None:
        return True  # there is no source to tell
    rounds = (node for node in ast.walk(body) if isinstance(node, _INLINED))
    return bool(loops_at(body, frame.f_lineno)) or any(
        node.lineno <= frame.f_lineno <= (node.end_lineno or node.lineno) for node in rounds
    )


_INLINED: Final = (ast.ListComp, ast.SetComp, ast.DictComp)
"""Those have no frame of their own from Python 3.12 on."""
