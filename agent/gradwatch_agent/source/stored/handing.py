"""Whether what is stored may be a plain number as well as a tensor: what a function was handed, as
in a meter's `self.total += value * n`, or one of many values. Pure but for reading.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import (
    Body,
    body_around,
    parameters_of,
    statements_of,
)

_VALUES = ("items", "values")

_NO_TENSORS = frozenset(("Any", "object", "float", "int", "Number", "Real"))
"""Of what an annotation allows, what cannot be detached."""


def is_handed(file: str, line: int, value: ast.expr) -> bool:
    """Whether it is, but for arithmetic, a parameter, or one of a dict's values."""
    body = body_around(file, line)
    if body is None:
        return False
    names = {*_parameters(body), *_values(body)}
    return not names.isdisjoint(_summed(value, _given(file, line), set()))


def of_many(file: str, line: int, value: ast.expr) -> set[str]:
    """The names in it, but for arithmetic, of a dict's values, each of which may be something
    else.
    """
    body = body_around(file, line)
    return _values(body).intersection(_summed(value, {}, set())) if body is not None else set()


def of_parameters(file: str, line: int, value: ast.expr) -> set[str]:
    """The parameters in it, but for arithmetic, that may be either: none that is a number if
    nothing is given, a count.
    """
    body = body_around(file, line)
    if body is None or isinstance(body, ast.Module):
        return set()
    given = body.args.defaults
    plain = {a.arg for a, d in zip(body.args.args[::-1], given[::-1], strict=False) if _is_plain(d)}
    return (_parameters(body) - plain).intersection(_summed(value, {}, set()))


def of_any_kind(file: str, line: int, value: ast.expr) -> set[str]:
    """The parameters in it, but for arithmetic, that may be numbers by their annotation."""
    body = body_around(file, line)
    if body is None or isinstance(body, ast.Module):
        return set()
    loose = {each.arg for each in parameters_of(body) if _names_in(each.annotation) & _NO_TENSORS}
    return loose.intersection(_summed(value, {}, set()))


def _names_in(annotation: ast.expr | None) -> set[str]:
    text = ast.unparse(annotation) if annotation is not None else ""
    return set(re.findall(r"\w+", text))


def _is_plain(default: ast.expr) -> bool:
    return isinstance(default, ast.Constant) and isinstance(default.value, int | float)


def _parameters(body: Body) -> set[str]:
    if isinstance(body, ast.Module):
        return set()
    return {each.arg for each in parameters_of(body)} - {"self", "cls"}


def _values(body: Body) -> set[str]:
    """The variables of loops over `d.items()` and `d.values()`."""
    found: set[str] = set()
    for node in ast.walk(body):
        match node:
            case ast.For(target=target, iter=ast.Call() as over) if called(over) in _VALUES:
                found |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return found


def _given(file: str, line: int) -> dict[str, list[ast.expr]]:
    """What the function's own variables are given, up to the line."""
    given: dict[str, list[ast.expr]] = {}
    for each in statements_of(file, line):
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if each.lineno < line:
                given.setdefault(name, []).append(value)
    return given


def _summed(value: ast.expr, given: dict[str, list[ast.expr]], seen: set[str]) -> Iterator[str]:
    """The names in a calculation, and those that they were calculated of."""
    match value:
        case ast.BinOp(left=left, right=right):
            yield from _summed(left, given, seen)
            yield from _summed(right, given, seen)
        case ast.UnaryOp(operand=operand):
            yield from _summed(operand, given, seen)
        case ast.Name(id=name) if name not in seen:
            seen.add(name)
            made = given.get(name, [])
            if not made:
                yield name
            for each in made:
                yield from _summed(each, given, seen)
