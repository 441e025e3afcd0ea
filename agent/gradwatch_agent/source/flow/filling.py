"""Where records are made, and with what in a field. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NamedTuple

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.stored.fields import place_in
from gradwatch_agent.source.syntax.text import statement_at


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
