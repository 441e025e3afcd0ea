"""Lists that are emptied once they hold so many, for a report, and then filled anew.

Of these it is known how many graphs they may come to hold, where it is known how many that is. Must
not know graphs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradwatch_agent.naming import Path
from gradwatch_agent.naming.values import number
from gradwatch_agent.source.indexing import index
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.statements import function_at
from gradwatch_agent.source.stores import variable
from gradwatch_agent.source.text import nodes


def block_of(path: Path, files: Iterable[str]) -> int | None:
    """How many elements the list that the path leads to has when it is emptied; None if it is not,
    or by no count that is known.
    """
    for file in files if path.attribute else (path.file,):
        for choice in _choices(file):
            function = function_at(file, choice.lineno)
            most = _compared(choice.test, path.name)
            if most is None or not _is_its(path, file, function):
                continue
            if any(_empties(each, path.name) for each in choice.body):
                return number(most, file, function)
    return None


def _is_its(path: Path, file: str, function: int) -> bool:
    """Whether the name is the same thing's in that function: the variable, an own attribute."""
    if not path.attribute:
        return variable(file, function, path.name) == variable(file, path.line, path.name)
    scope = index(file).scopes.get(function)
    return scope is not None and scope.owner in path.owners


def _choices(file: str) -> Iterator[ast.If]:
    return (node for node in nodes(file) if isinstance(node, ast.If))


def _compared(test: ast.expr, name: str) -> ast.expr | None:
    """`n`, of `len(window) >= n`."""
    match test:
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[whole]),
            ops=[ast.Eq() | ast.GtE() | ast.Gt()],
            comparators=[most],
        ) if _is(whole, name):
            return most
    return None


def _empties(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=whole, attr="clear"))):
            return _is(whole, name)
        case ast.Delete(targets=[ast.Subscript(value=whole, slice=ast.Slice())]):
            return _is(whole, name)
        case ast.Assign(targets=targets, value=value):
            return any(_is(each, name) for each in targets) and _is_empty(value)
    return False


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return called(value) in ("list", "deque") and not value.args
    return isinstance(value, ast.List) and not value.elts


def _is(part: ast.expr, name: str) -> bool:
    return name == (part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", None))
