"""Whether some call passes a function what goes by a name. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.syntax.reading import called, last_name
from gradwatch_agent.source.syntax.statements import Function, body_around, parameters_of

_DEPTH: Final = 2
"""Calls by which it is handed on, besides the first."""


def is_given(
    function: Function, parameter: str, name: str, files: Collection[str], depth: int = _DEPTH
) -> bool:
    """Whether a call gives the parameter what goes by that name, or what lies in it; be it by way
    of a variable, or of other functions.
    """
    return _is_given(function, parameter, name, tuple(files), depth)


@lru_cache(maxsize=4_096)
def _is_given(
    function: Function, parameter: str, name: str, files: tuple[str, ...], depth: int
) -> bool:
    for file, call in calls_of(function.name, files):
        value = given(call, function).get(parameter)
        body = body_around(file, call.lineno)
        if value is None or body is None:
            continue
        if _speaks_of(value, name):
            return True
        for word in _variables(value):
            if any(_speaks_of(each, name) for each in _bound(body, word)):
                return True
            handed_on = isinstance(body, Function) and depth and word in names_taken(body)
            if handed_on and _is_given(body, word, name, files, depth - 1):
                return True
    return False


def _speaks_of(value: ast.AST, name: str) -> bool:
    return any(
        last_name(part) == name or (isinstance(part, ast.Call) and called(part) == name)
        for part in ast.walk(value)
    )


def _variables(value: ast.expr) -> list[str]:
    return [part.id for part in ast.walk(value) if isinstance(part, ast.Name)]


def _bound(body: ast.AST, word: str) -> Iterator[ast.expr]:
    """What the variable is given there: by an assignment, a loop, or a comprehension."""
    for node in ast.walk(body):
        match node:
            case ast.Assign(targets=targets, value=value):
                into: list[ast.expr] = targets
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                into = [target]
            case _:
                continue
        if any(word in _variables(each) for each in into):
            yield value


def names_taken(function: Function) -> list[str]:
    """What its parameters are called."""
    return [each.arg for each in parameters_of(function)]
