"""The fields of a record's class, as its body names them. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradwatch_agent.source.syntax.statements import classes_named


def place_in(kind: str, field: str, files: Iterable[str]) -> int:
    """Where the field stands among those; -1 where it does not."""
    names = fields_of(kind, files)
    return names.index(field) if field in names else -1


def fields_of(kind: str, files: Iterable[str]) -> tuple[str, ...]:
    """Those that the class's body names, in their order, as a dataclass's does."""
    for _, node in classes_named(kind, files):
        named = [s.target for s in node.body if isinstance(s, ast.AnnAssign)]
        return tuple(each.id for each in named if isinstance(each, ast.Name))
    return ()


def begins_as_none(kind: str, field: str, files: Iterable[str]) -> bool:
    """Whether the class's body gives it None to begin with."""
    return any(
        isinstance(each, ast.AnnAssign)
        and isinstance(each.target, ast.Name)
        and each.target.id == field
        and isinstance(each.value, ast.Constant)
        and each.value.value is None
        for _, node in classes_named(kind, files)
        for each in node.body
    )
