"""The fields of a record's class, as its body names them. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from gradwatch_agent.source.calls import calls_of
from gradwatch_agent.source.text import mentions, nodes, statement_at


class Filled(NamedTuple):
    """A statement that makes a record, and what it gives one of its fields."""

    file: str
    statement: ast.stmt
    value: ast.expr


def filled(kind: str, field: str, files: Iterable[str]) -> list[Filled]:
    """Where records of that class are made with something in that field, no constant."""
    files = list(files)
    place = place_in(kind, field, files)
    found = []
    for file, call in calls_of(kind, files) if place >= 0 else ():
        named = [each.value for each in call.keywords if each.arg == field]
        given = named or call.args[place : place + 1]
        starred = any(isinstance(each, ast.Starred) for each in call.args[: place + 1])
        statement = statement_at(file, call.lineno)
        if given and not starred and statement and not isinstance(given[0], ast.Constant):
            found.append(Filled(file, statement, given[0]))
    return found


def place_in(kind: str, field: str, files: Iterable[str]) -> int:
    """Where the field stands among those; -1 where it does not."""
    names = fields_of(kind, files)
    return names.index(field) if field in names else -1


def fields_of(kind: str, files: Iterable[str]) -> tuple[str, ...]:
    """Those that the class's body names, in their order, as a dataclass's does."""
    for file in files:
        for node in nodes(file) if mentions(file, kind) else ():
            if isinstance(node, ast.ClassDef) and node.name == kind:
                named = [s.target for s in node.body if isinstance(s, ast.AnnAssign)]
                return tuple(each.id for each in named if isinstance(each, ast.Name))
    return ()
