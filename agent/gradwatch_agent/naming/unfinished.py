"""Comprehensions that are under way: what one has gathered goes by no name until it is finished.

Of Python up to 3.11, where they have frames of their own.
"""

from __future__ import annotations

import types
from typing import Any, Final, NamedTuple

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.frames import COMPREHENSIONS, Locals, outward

_DRAWS: Final = ".0"
"""What a comprehension's frame calls that which it draws from."""

_COUNTED: Final[tuple[type, ...]] = (type(iter([])), type(iter(())), type(iter(range(0))))
_OVER: Final = (enumerate, zip)


class Unfinished(NamedTuple):
    """One of them."""

    file: str
    line: int
    done: int = 0
    """Rounds that have ended."""
    rounds: int = 0
    """All that there will be; 0 where that is not known."""


def unfinished(frame: types.FrameType) -> Unfinished | None:
    """The innermost one of the program's around the frame; None where it is at its first round."""
    for each in outward(frame):
        code = each.f_code
        if code.co_name in COMPREHENSIONS and is_own(code.co_filename):
            local = Locals()
            try:
                drawn, rounds = _progress(local.of(each).get(_DRAWS))
            finally:
                local.clear()
            found = Unfinished(code.co_filename, each.f_lineno, max(drawn - 1, 0), rounds)
            return found if found.done or not rounds else None
    return None


def _progress(iterator: Any) -> tuple[int, int]:
    """How many an iterator has handed out, and of how many; zeros where that is not known."""
    kind: Any = type(iterator)
    if any(kind is each for each in _COUNTED):  # `in` might ask a metaclass of the program's
        _, given, *at = kind.__reduce__(iterator)
        return (at[0], len(given[0])) if at else (0, 0)
    if any(kind is each for each in _OVER):
        inner = kind.__reduce__(iterator)[1][: 1 if kind is enumerate else None]
        return min(filter(all, map(_progress, inner)), key=lambda each: each[1], default=(0, 0))
    return 0, 0
