"""How many models a program trains one after the other, each with an optimizer of its own: folds,
seeds, members of an ensemble. A list gets no more of them. Must not know graphs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Final

import torch

from gradwatch_agent.kept.bounds import ELSEWHERE
from gradwatch_agent.naming.lengths import length
from gradwatch_agent.source.flow.callers import is_called_in_a_loop
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around, functions_named, methods_of

_OPTIMIZERS: Final = frozenset(
    name for name, value in vars(torch.optim).items() if isinstance(value, type)
) - {"Optimizer"}

_DEPTH: Final = 3
"""Calls, one within the function that another one calls."""


def trained_one_by_one(adding: list[Store], files: Collection[str]) -> int | None:
    """How often the statements run that put a thing into a list; None unless each of them does so
    once for each model, in a loop over so many that begins but once.
    """
    rounds = [_rounds(store, files) for store in adding]
    known = [most for most in rounds if most is not None]
    return sum(known) if known and len(known) == len(rounds) else None


def _rounds(store: Store, files: Collection[str]) -> int | None:
    """Of the loop around one of them."""
    body = body_around(store.file, store.line)
    around = loops_at(body, store.line) if body is not None else []
    if len(around) != 1 or not isinstance(loop := around[0], ast.For):
        return None
    if is_called_in_a_loop(store.file, store.line, files):
        return None
    if not any(called(call) in _OPTIMIZERS for call in _calls(loop, files, set(), _DEPTH)):
        return None
    line = 0 if isinstance(body, ast.Module) or body is None else body.lineno
    most = length(loop.iter, store.file, line)
    return int(most) if 0 < most <= ELSEWHERE else None


def _calls(node: ast.AST, files: Collection[str], seen: set[str], depth: int) -> Iterator[ast.Call]:
    """All in it, and in the program's own functions and constructors that it calls."""
    calls = [part for part in ast.walk(node) if isinstance(part, ast.Call)]
    yield from calls
    names = {called(call) for call in calls} - seen if depth else set()
    seen |= names
    for name in names:
        own = [*functions_named(name, files), *methods_of(name, "__init__", files)]
        for _, function in own:
            yield from _calls(function, files, seen, depth - 1)
