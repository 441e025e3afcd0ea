"""From what a variable draws its values: a loop's, or one that is given an element. Pure but for
reading.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TypeGuard

from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.reading import called, reads
from gradwatch_agent.source.syntax.statements import body_around, statements_of
from gradwatch_agent.source.syntax.text import statement_at


def drawn_from(target: ast.expr, values: ast.expr, name: str) -> ast.expr | None:
    """Over what the name goes, where a loop's target goes over the values: its part of a zip."""
    if not any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(target)):
        return None
    if isinstance(target, ast.Tuple) and isinstance(values, ast.Call):
        given = [None, *values.args[:1]] if called(values) == "enumerate" else values.args
        if called(values) in ("enumerate", "zip") and len(given) == len(target.elts):
            for part, value in zip(target.elts, given, strict=True):
                if value is not None and (found := drawn_from(part, value, name)) is not None:
                    return found
            return None
    return values


def drawn_name(file: str, statement: ast.stmt, container: str) -> str | None:
    """The name by which a statement reads one element after another of the attribute or variable of
    that name, in a loop around it or within.
    """
    body = body_around(file, statement.lineno)
    loops = [
        *(loops_at(body, statement.lineno) if body is not None else ()),
        *(node for node in ast.walk(statement) if isinstance(node, ast.comprehension)),
    ]
    drawing = [(loop.target, loop.iter) for loop in loops if not isinstance(loop, ast.While)]
    for name in reads(statement):
        for target, values in drawing:
            source = drawn_from(target, values, name)
            if source is not None and _is_of(source, container):
                return name
    return None


@lru_cache(maxsize=4_096)
def is_element(file: str, line: int, name: str, container: str) -> bool:
    """Whether the name is, on the line, that of an element of the attribute or variable so called:
    `for row in self.rows`, `row = self.rows[k]`.
    """
    body = body_around(file, line)
    drawing = [
        *_comprehensions(file, line),
        *(loops_at(body, line) if body is not None else ()),
    ]
    for loop in drawing:
        if not isinstance(loop, ast.While):
            source = drawn_from(loop.target, loop.iter, name)
            if source is not None:
                return _is_of(source, container)
    given = [
        each for each in statements_of(file, line) if each.lineno <= line and _gives(each, name)
    ]
    things = [given[-1].value, *given[-1].targets] if given else []  # `row = rows[k] = []`
    wholes = [whole for each in things if (whole := elements_of(each)) is not None]
    return any(_is_of(whole, container) for whole in wholes)


def _comprehensions(file: str, line: int) -> list[ast.comprehension]:
    """Those of the statement that begins on the line."""
    statement = statement_at(file, line)
    parts = ast.walk(statement) if statement is not None and statement.lineno == line else ()
    return [part for part in parts if isinstance(part, ast.comprehension)]


def element_of(file: str, line: int, name: str) -> ast.expr | None:
    """Of what the variable is an element by the last statement ahead of the line that gives it."""
    for statement in reversed(statements_of(file, line) if name else []):
        if statement.lineno < line and _gives(statement, name):
            return elements_of(statement.value)
    return None


def elements_of(value: ast.AST) -> ast.expr | None:
    """Of what it is an element: `rows[k]`, `rows.get(k)`, `rows.setdefault(k, [])`."""
    match value:
        case ast.Subscript(value=whole, slice=place) if not isinstance(place, ast.Slice):
            return whole
        case ast.Call(func=ast.Attribute(value=whole, attr="get" | "setdefault"), args=[_, *_]):
            return whole
    return None


def _gives(statement: ast.stmt, name: str) -> TypeGuard[ast.Assign]:
    return isinstance(statement, ast.Assign) and name in map(ast.unparse, statement.targets)


def _is_of(source: ast.expr, container: str) -> bool:
    return any(each.rpartition(".")[2] == container for each in reads(source))
