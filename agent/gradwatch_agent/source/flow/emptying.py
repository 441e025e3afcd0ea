"""Where a program empties lists that are filled side by side, and forgets one. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.targets import deleted
from gradwatch_agent.source.syntax.text import code_of, nodes


class Emptied(NamedTuple):
    """A statement that empties a list."""

    code: str
    what: str
    """The list, as the statement spells it."""


def emptied_beside(store: Store) -> Emptied | None:
    """Where one is emptied that the same function fills, or that is the same variable's; nothing
    if the one that the statement fills is emptied somewhere, too.
    """
    found = list(_emptied_in(store.file))
    own, siblings = _last(store.target), _filled_by(store)
    if own in {_last(each.what) for each in found}:
        return None
    return next(
        (each for each in found if _last(each.what) in siblings or _is_beside(each, store)), None
    )


def _is_beside(emptied: Emptied, store: Store) -> bool:
    base = store.target.rpartition(".")[0]
    return base not in ("", "self") and emptied.what.rpartition(".")[0] == base


def _filled_by(store: Store) -> set[str]:
    """The last names of what the function around it appends to."""
    body = body_around(store.file, store.line)
    calls = (node for node in ast.walk(body) if isinstance(node, ast.Call)) if body else ()
    return {
        _last(ast.unparse(call.func.value))
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in ("append", "add", "insert")
    }


def _emptied_in(file: str) -> Iterator[Emptied]:
    for node in nodes(file):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=what, attr="clear"), args=[])):
                yield Emptied(code_of(file, node), ast.unparse(what))
            case ast.Delete() | ast.Assign():
                for each in deleted(node):
                    if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice):
                        yield Emptied(code_of(file, node), ast.unparse(each.value))


def _last(name: str) -> str:
    return name.rpartition(".")[2]
