"""Where records are made, and with what in a field. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final, NamedTuple

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.stored.fields import fields_of, place_in
from gradwatch_agent.source.stored.freshness import Carries, carries
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.syntax.reading import base, called, dotted
from gradwatch_agent.source.syntax.statements import classes_named, function_at
from gradwatch_agent.source.syntax.text import statement_at


class Filled(NamedTuple):
    """A statement that makes a record, and what it gives one of its fields."""

    file: str
    statement: ast.stmt
    value: ast.expr


def filled(kind: str, field: str, files: Iterable[str]) -> list[Filled]:
    """Where records of that class, or copies of some with another value in that field, are made
    with what may have a graph; none of a class whose constructor is not made of its fields.
    """
    files = list(files)
    place = place_in(kind, field, files)
    if place < 0 or not _is_made_of_its_fields(kind, files):
        return []
    made = [each for name in _COPYING for each in calls_of(name, files)]
    found = []
    for file, call in (*calls_of(kind, files), *made):
        given = [each.value for each in call.keywords if each.arg == field]
        if called(call) == kind and not any(map(_is_starred, call.args)):
            given += call.args[place : place + 1]
        statement = statement_at(file, call.lineno)
        plain = bool(given) and carries(given[0], _may_carry) is Carries.NOTHING
        if given and statement is not None and not plain:
            found.append(Filled(file, statement, given[0]))
    return found


def made_of_its_own(call: ast.Call, file: str) -> list[ast.keyword]:
    """What a call gives the fields of a record that takes another one's place, each by its name: of
    `replace(self, rows=self.rows[1:])`, or of `Log(self.rows[1:])` in a method of the class itself.
    """
    kind = called(call)
    if kind in _COPYING:
        return call.keywords
    scope = index(file).scopes.get(function_at(file, call.lineno))
    if scope is None or not scope.owner or kind != scope.owner:
        return []
    made = (each for each in index(file).functions.get("__init__", ()) if each.owner == kind)
    names = next((each.parameters[1:] for each in made), fields_of(kind, [file]))
    by_place = zip(names, call.args, strict=False)
    return [*(ast.keyword(name, value) for name, value in by_place), *call.keywords]


def _may_carry(_: str) -> Carries:
    """Of any variable that is not known."""
    return Carries.GRAPH


_COPYING: Final = ("replace", "_replace", "evolve")
_BASES: Final = {"NamedTuple", "Generic", "Protocol", "ABC", "object"}
_ODD: Final = ("ClassVar", "KW_ONLY", "init=False")
"""In a field, what shifts the others' places."""


def _is_starred(value: ast.expr) -> bool:
    return isinstance(value, ast.Starred)


def _is_made_of_its_fields(kind: str, files: Iterable[str]) -> bool:
    """Whether it inherits none, has no constructor of its own, and takes all of them in order."""
    for _, node in classes_named(kind, files):
        own = {getattr(each, "name", "") for each in node.body}
        fields = [ast.unparse(each) for each in node.body if isinstance(each, ast.AnnAssign)]
        odd = any(word in each for each in fields for word in _ODD)
        bases = {dotted(base(each)) or "" for each in node.bases}
        known = {each.rpartition(".")[2] for each in bases} <= _BASES
        return known and not odd and own.isdisjoint(("__init__", "__new__"))
    return False
