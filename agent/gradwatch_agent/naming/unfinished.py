"""What is being gathered: it goes by no name until all of it is there.

By a comprehension, of Python up to 3.11, where it has a frame of its own; or by a call, as in
`list(train(batches))` and `deque(islice(steps, 9))`.
"""

from __future__ import annotations

import ast
import inspect
import math
import types
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.frames import COMPREHENSIONS, Locals, outward
from gradwatch_agent.naming.lengths import length
from gradwatch_agent.naming.values import number
from gradwatch_agent.source.syntax.reading import called, parts
from gradwatch_agent.source.syntax.statements import function_at
from gradwatch_agent.source.syntax.text import statement_at

_DRAWS: Final = ".0"
"""What a comprehension's frame calls that which it draws from."""

_COUNTED: Final[tuple[type, ...]] = (type(iter([])), type(iter(())), type(iter(range(0))))
_OVER: Final = (enumerate, zip)

_GATHERING: Final = ("list", "tuple", "set", "frozenset", "deque", "sorted", "dict", "sum")
LAZY: Final = ("map", "starmap", "filter")
"""What gathers, and what calls a function each time that it is asked for something."""


class Unfinished(NamedTuple):
    """One of them."""

    file: str
    line: int
    done: int = 0
    """Rounds that have ended; 0 also where that is not known."""
    rounds: int = 0
    """All that there will be; 0 where that is not known."""
    drawn: ast.expr | None = None
    """What a call gathers from."""


def unfinished(frame: types.FrameType) -> Unfinished | None:
    """The innermost one of the program's around the frame; None where it is at its first round."""
    inner = frame
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
        if is_own(code.co_filename) and (called_so := _by_a_call(each, inner)) is not None:
            return called_so
        inner = each
    return None


def _by_a_call(frame: types.FrameType, callee: types.FrameType) -> Unfinished | None:
    """What the frame's statement gathers by a call, from a generator that is under way, or from
    what calls a function for each.
    """
    file, line = frame.f_code.co_filename, frame.f_lineno
    statement = statement_at(file, line)
    draws = callee is not frame and bool(callee.f_code.co_flags & inspect.CO_GENERATOR)
    for drawn in _gathered_from(statement) if statement is not None else ():
        if draws or any(isinstance(e, ast.Call) and called(e) in LAZY for e in ast.walk(drawn)):
            return Unfinished(file, line, 0, _rounds(drawn, file, function_at(file, line)), drawn)
    return None


def _gathered_from(statement: ast.stmt) -> Iterator[ast.expr]:
    """What the statement takes all of: `list(steps)`, `[*steps]`, `first, *rest = steps`."""
    for part in parts(statement):
        match part:
            case ast.Call(args=[drawn, *_]) if called(part) in _GATHERING:
                yield drawn
            case ast.Call(args=[_, drawn, *_]) if called(part) == "reduce":
                yield drawn
            case ast.Starred(value=drawn, ctx=ast.Load()):
                yield drawn
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=drawn):
                yield drawn


def _rounds(drawn: ast.expr, file: str, function: int) -> int:
    """How many it will be, of whatever they are drawn; 0 where that is not known."""
    match drawn:
        case ast.Call(args=[_, most]) if called(drawn) == "islice":
            return number(most, file, function) or 0
    known = length(drawn, file, function)
    return 0 if known == math.inf else int(known)


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
