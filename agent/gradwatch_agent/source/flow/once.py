"""Whether a line runs once in a program's life, and only such ones make the objects of a class.

Certain or not at all: a function that is called by what does not name it may run again and again.
Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.callers import callers, names_of
from gradwatch_agent.source.flow.calls import calls_of, otherwise
from gradwatch_agent.source.flow.loops import is_in_a_round, loops_at
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around

_DEPTH: Final = 4
"""Calls, one within the function that another one calls."""


def runs_once(file: str, line: int, files: Collection[str], depth: int = _DEPTH) -> bool:
    """Whether it stands in no loop, nor does any call of its function, nor of whoever calls that;
    all of which are known.
    """
    body = body_around(file, line)
    if body is None or loops_at(body, line):
        return False
    if isinstance(body, ast.Module):
        return True
    if not depth:
        return False
    names, calls = names_of(file, line, files), callers(file, line, files)
    return _all_once(tuple(names), tuple(calls), tuple(files), depth - 1)


def is_built_once(kind: str, files: Collection[str]) -> bool:
    """Whether each object of the class is, as far as the files speak of it, made by a line that
    runs once.
    """
    made = _all_once((kind,), tuple(calls_of(kind, files)), tuple(files), _DEPTH)
    return made and not is_any_begun_again(files)


def is_any_begun_again(files: Collection[str]) -> bool:
    """Whether some constructor is run again for an object that is there, `meter.__init__()`; not as
    `super().__init__()` or `Base.__init__(self)`, by which it is made.
    """
    return any(
        isinstance(call.func, ast.Attribute)
        and not (isinstance(call.func.value, ast.Call) and called(call.func.value) == "super")
        and not (call.args and isinstance(call.args[0], ast.Name) and call.args[0].id == "self")
        for _, call in calls_of("__init__", files)
    )


@lru_cache(maxsize=1_024)
def _all_once(
    names: tuple[str, ...],
    calls: tuple[tuple[str, ast.Call], ...],
    files: tuple[str, ...],
    depth: int,
) -> bool:
    """Whether what goes by the names is called, and each time by a line that runs once."""
    return (
        bool(calls)
        and not any(any(otherwise(name, files)) for name in names)
        and all(_is_once(file, call, files, depth) for file, call in calls)
    )


def _is_once(file: str, call: ast.Call, files: Collection[str], depth: int) -> bool:
    return not is_in_a_round(file, call) and runs_once(file, call.lineno, files, depth)
