"""Whether a line is reached ahead of training only. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from typing import Final

from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.flow.loops import (
    is_ahead,
    is_ahead_of_an_inner,
    is_in_a_round,
    is_made_ahead,
    is_made_once,
    loops_at,
)
from gradwatch_agent.source.syntax.places import Store
from gradwatch_agent.source.syntax.reading import called, reads
from gradwatch_agent.source.syntax.statements import Body, body_around, functions_named
from gradwatch_agent.source.syntax.vocabulary import CONSTRUCTING, TRAINING_NOTHING

_DEPTH: Final = 3
"""Calls, one within the function that another one calls."""


def is_set_up(file: str, line: int, files: Iterable[str], depth: int = _DEPTH) -> bool:
    """Whether the line is reached before training alone: in a constructor, at a module's top, ahead
    of the loop that trains, or in a function that is called from such places only.
    """
    body = body_around(file, line)
    if body is None:
        return False
    if _is_before(body, line):
        return True
    files = list(files)
    if any(may_train(loop, files) for loop in loops_at(body, line)):
        return False
    if isinstance(body, ast.Module):
        return True
    calls = [
        (at, call)
        for at, call in (callers(file, line, files) if depth else ())
        if getattr(body_around(at, call.lineno), "name", "") != body.name  # by `super()`, or itself
    ]
    return bool(calls) and all(_sets_up(at, call, files, depth - 1) for at, call in calls)


def is_once(store: Store, files: Iterable[str]) -> bool:
    """Whether it gives a thing all that it will be, ever or for a loop."""
    files = list(files)
    ahead = is_made_once(store) or is_made_ahead(store) or _is_asked_for_ahead(store, files)
    return store.how == "assign" and (ahead or is_set_up(store.file, store.line, files))


def _is_asked_for_ahead(store: Store, files: list[str]) -> bool:
    """Whether its function is called ahead of an inner loop alone, once an epoch, and goes on from
    nothing.
    """
    if store.target in reads(getattr(store.node, "value", store.node)):
        return False
    calls = list(callers(store.file, store.line, files))
    return bool(calls) and all(is_ahead_of_an_inner(at, call.lineno) for at, call in calls)


def _is_before(body: Body, line: int) -> bool:
    """Whether the line of that function is reached before training, whoever calls it."""
    constructs = isinstance(body, ast.FunctionDef) and body.name in CONSTRUCTING
    return constructs or is_ahead(body, line, surely=True)


def _sets_up(file: str, call: ast.Call, files: list[str], depth: int) -> bool:
    """Whether the call is made before training alone: a comprehension may be what trains."""
    body = body_around(file, call.lineno)
    once = body is not None and (_is_before(body, call.lineno) or not is_in_a_round(file, call))
    return once and is_set_up(file, call.lineno, files, depth)


def may_train(loop: ast.AST, files: Collection[str]) -> bool:
    """Whether it calls what may: a function of the program's, or of somebody's trainer's."""
    called_there = {called(node) for node in ast.walk(loop) if isinstance(node, ast.Call)}
    return any(
        name not in TRAINING_NOTHING or functions_named(name, files) for name in called_there
    )
