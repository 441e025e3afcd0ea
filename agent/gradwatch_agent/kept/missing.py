"""What a program makes only where it is missing, and keeps: `meters.setdefault(name, Meter())`,
`defaultdict(list)`, `if name not in meters: ...`. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from gradwatch_agent.kept.guards import misses
from gradwatch_agent.source.flow.calls import calls_of, otherwise
from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.syntax.places import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import statement_at


def stores_what_is_missing(store: Store) -> bool:
    """Whether the statement gives a name what it has been missing so far."""
    value = getattr(store.node, "value", None)
    made = store.how == "assign" and (store.fresh or isinstance(value, ast.Call))
    return store.how == "setdefault" or (made and _is_missing(store.file, store.line))


def _is_missing(file: str, line: int) -> bool:
    """Whether the statement gives a key a value only where a dict was asked and has none: under `if
    key not in d`, behind `if key in d: return ...`, under `if value is None` of `d.get(key)`.
    """
    body, statement = body_around(file, line), statement_at(file, line)
    if body is None:
        return False
    targets = set(map(ast.unparse, getattr(statement, "targets", ())))
    return any(
        isinstance(test, ast.Compare)
        and (_lacks(test, targets, holds=holds) or misses(test, body, holds=holds))
        for test, holds in conditions(file, line)
    )


def _lacks(test: ast.Compare, targets: set[str], *, holds: bool) -> bool:
    """Whether one of them is what a dict has not where it comes to that."""
    asked = f"{ast.unparse(test.comparators[0])}[{ast.unparse(test.left)}]"
    return asked in targets and isinstance(test.ops[0], ast.NotIn if holds else ast.In)


def is_first(store: Store) -> bool:
    """Whether it gives a name a value only where that has none: `if self.level is None: ...`."""
    asked = (f"{store.target} is None", True), (f"{store.target} is not None", False)
    tests = conditions(store.file, store.line)
    return any((ast.unparse(test), holds) in asked for test, holds in tests)


def leaves_it_there(store: Store) -> bool:
    """Whether what goes by a name in the dict is the same after it."""
    inside = "[" in store.target or "setdefault(" in store.target
    calls = inside and store.how not in ("assign", "augment", "bind")
    return calls or stores_what_is_missing(store)


def are_made_there(kind: str, files: Collection[str], begun: Collection[Store]) -> bool:
    """Whether all objects of the class are made so, as far as the files speak of it, or by the
    statements with which the container begins.
    """
    at = ((store.file, range(store.line, store.end_line + 1)) for store in begun)
    return _are_made(kind, tuple(files), tuple(at))


@lru_cache(maxsize=512)
def _are_made(kind: str, files: tuple[str, ...], at: tuple[tuple[str, range], ...]) -> bool:
    given = {id(argument) for file in files for argument in _given(file)}
    calls = list(calls_of(kind, files))
    others = list(otherwise(kind, files))
    return (
        bool(calls or others)
        and all(
            id(call) in given
            or any(file == where and call.lineno in lines for where, lines in at)
            or _is_missing(file, call.lineno)
            for file, call in calls
        )
        and all(id(node) in given for node in others)
    )


def _given(file: str) -> Iterator[ast.expr]:
    """What is to be there where something is missing: a thing, or what makes it."""
    for _, call in (*calls_of("setdefault", [file]), *calls_of("defaultdict", [file])):
        yield from call.args[1:] if called(call) == "setdefault" else call.args[:1]
