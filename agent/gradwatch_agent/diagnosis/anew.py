"""Which functions are called anew for each iteration: those within the innermost loop that runs.

What is a variable of theirs carries nothing from one iteration to the next.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from types import FrameType
from typing import Final, TypeAlias

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.source.loops import is_looped
from gradwatch_agent.source.statements import body_around

Anew: TypeAlias = frozenset[tuple[str, int]]
"""The functions: file and first line."""

_COMPREHENSIONS: Final = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"))

_LASTING: Final = (
    inspect.CO_GENERATOR
    | inspect.CO_COROUTINE
    | inspect.CO_ASYNC_GENERATOR
    | inspect.CO_ITERABLE_COROUTINE
)
"""What may be gone on with in the next iteration."""


def called_anew(frame: FrameType) -> Anew:
    """Of the user's functions that run; none if no loop does, be it a library's."""
    inner: list[FrameType] = []
    for each in _outward(frame):
        own = is_own(each.f_code.co_filename)
        if (inner and not own) or (own and _loops(each)):
            break
        if own:
            inner.append(each)
    else:
        return frozenset()
    codes = [one.f_code for one in inner if not one.f_code.co_flags & _LASTING]
    return frozenset((code.co_filename, code.co_firstlineno) for code in codes)


def _outward(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _loops(frame: FrameType) -> bool:
    """Whether it is in a loop of its own just now."""
    code = frame.f_code
    if code.co_name in _COMPREHENSIONS:
        return True
    body = body_around(code.co_filename, frame.f_lineno)
    if body is None:
        return True  # there is no source to tell
    rounds = (node for node in ast.walk(body) if isinstance(node, _INLINED))
    return is_looped(body, frame.f_lineno) or any(
        node.lineno <= frame.f_lineno <= (node.end_lineno or node.lineno) for node in rounds
    )


_INLINED: Final = (ast.ListComp, ast.SetComp, ast.DictComp)
"""Those have no frame of their own from Python 3.12 on."""
