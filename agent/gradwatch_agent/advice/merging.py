"""Several changes of one statement, all of them made. Pure: from syntax to syntax."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any


def merged(original: ast.stmt, one: str, other: str) -> str | None:
    """The statement with both changes; None where they change the same part of it."""
    try:
        first, second = ast.parse(one).body[0], ast.parse(other).body[0]
    except SyntaxError:  # the head of a block alone
        return None
    node = _merged(original, first, second)
    return ast.unparse(node) if node is not None else None


def _merged(original: ast.AST, one: ast.AST, other: ast.AST) -> ast.AST | None:
    same, changed = ast.dump(original), ast.dump(one)
    if changed in (same, ast.dump(other)):
        return other
    if ast.dump(other) == same:
        return one
    if not type(original) is type(one) is type(other):
        return None
    made: dict[str, Any] = {}
    for name, values in _fields(original, one, other):
        if not all(isinstance(each, ast.AST) for value in values for each in _parts(value)):
            if values.count(values[0]) < len(values):
                return None
            continue
        if len({len(_parts(value)) for value in values}) > 1:
            return None
        parts = [_merged(*three) for three in zip(*map(_parts, values), strict=True)]
        if None in parts:
            return None
        made[name] = parts if isinstance(values[0], list) else parts[0]
    for name, value in made.items():
        setattr(one, name, value)
    return one


def _fields(*nodes: ast.AST) -> Iterator[tuple[str, list[Any]]]:
    for name in nodes[0]._fields:
        yield name, [getattr(node, name, None) for node in nodes]


def _parts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
