"""Where a program empties a list but for its last element: `items = items[-1:]`. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from gradwatch_agent.source.stored.stores import Place, place_read
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import mentions, nodes


def leave_one(known: Collection[Place], files: Iterable[str]) -> Iterator[tuple[str, ast.stmt]]:
    """The statements that leave one, of what lies in one of these places, each with its file."""
    names = {place.name for place in known}
    for file in files:
        if any(mentions(file, name) for name in names):
            for node in nodes(file):
                if isinstance(node, ast.Assign | ast.Delete):
                    whole = _left_with_one(node, file)
                    if whole is not None and place_read(file, whole) in known:
                        yield file, node


def _left_with_one(node: ast.Assign | ast.Delete, file: str) -> ast.expr | None:
    """The list that has one element left by the statement."""
    match node:
        case ast.Delete(targets=[ast.Subscript(value=whole, slice=ast.Slice(None, upper, None))]):
            return whole if upper is not None and ast.unparse(upper) == "-1" else None
        case ast.Assign(targets=[ast.Subscript(value=whole, slice=ast.Slice(None, None, None))]):
            return whole if _is_its_last(node.value, whole, file) else None
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as whole]):
            return whole if _is_its_last(node.value, whole, file) else None
    return None


def _is_its_last(value: ast.expr, whole: ast.expr, file: str) -> bool:
    """Whether it is a list of the last element, be it under a condition."""
    match value:
        case ast.IfExp(body=one, orelse=other):
            return any(_is_its_last(each, whole, file) for each in (one, other))
        case ast.Subscript(slice=ast.Slice(lower, None, None)) if lower is not None:
            return ast.unparse(value.value) == ast.unparse(whole) and ast.unparse(lower) == "-1"
        case ast.List(elts=[ast.Name(id=name)]):
            body = body_around(file, value.lineno)
            given = (n for n in ast.walk(body) if isinstance(n, ast.Assign)) if body else ()
            return any(
                _is_last_of(each.value, whole)
                for each in given
                if name in map(ast.unparse, each.targets)
            )
        case ast.List(elts=[one]):
            return _is_last_of(one, whole)
    return False


def _is_last_of(value: ast.expr, whole: ast.expr) -> bool:
    return ast.unparse(value) == f"{ast.unparse(whole)}[-1]"
