"""Whether a statement that asks for a length holds a list to a size: by what is done where it is
full, here or in the functions that are called here; or by adding to it only where it is not.
Pure but for reading.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, pairwise
from typing import Final

from gradwatch_agent.kept.taking import taken_from
from gradwatch_agent.source.reading import SWAPPED, called
from gradwatch_agent.source.statements import Function, body_around, functions_named
from gradwatch_agent.source.stores import Store
from gradwatch_agent.source.text import nodes

_FULL: Final = (ast.Eq, ast.GtE, ast.Gt)
_LEFT: Final = (ast.Lt, ast.LtE, ast.NotEq)
"""How `len(it)` is compared where there is no room any more, and where there is some."""

_HOPS: Final = 2
"""Calls, one within the function that another one calls, by which it is let go."""


def compared(test: ast.expr, name: str) -> Iterator[tuple[type[ast.cmpop], ast.expr]]:
    """`n`, of `len(window) >= n` or `n <= len(window)`, and how the length is compared with it."""
    for part in test.values if isinstance(test, ast.BoolOp) else (test,):
        for one, op, other in _pairs(part):
            if _is_length(one, name):
                yield type(op), other
            elif _is_length(other, name):
                yield SWAPPED.get(type(op), type(op)), one


def _pairs(part: ast.expr) -> Iterator[tuple[ast.expr, ast.cmpop, ast.expr]]:
    if isinstance(part, ast.Compare):
        sides = pairwise((part.left, *part.comparators))
        yield from ((one, op, other) for (one, other), op in zip(sides, part.ops, strict=True))


def _is_length(part: ast.expr, name: str) -> bool:
    match part:
        case ast.Call(func=ast.Name(id="len"), args=[whole]):
            return is_it(whole, name)
    return False


def holds(
    choice: ast.If | ast.While,
    how: type[ast.cmpop],
    name: str,
    file: str,
    adding: list[Store],
    files: Collection[str],
) -> bool:
    """Whether something is taken out of it where it is full, or nothing is added there."""
    full = choice.body if issubclass(how, _FULL) else choice.orelse
    left = choice.body if issubclass(how, _LEFT) else choice.orelse
    leaves = bool(left) and isinstance(left[-1], ast.Return | ast.Continue)
    behind = _behind(file, choice) if leaves else []
    if any(_lets_go(part, known) for part, known in _done([*full, *behind], name, files)):
        return True
    lines = [(each.lineno, each.end_lineno or each.lineno) for each in left]
    if full and isinstance(full[-1], ast.Return | ast.Continue):
        body = body_around(file, choice.lineno)
        lines.append((choice.lineno, getattr(body, "end_lineno", None) or sys.maxsize))
    return bool(adding) and all(
        store.file == file and any(first <= store.line <= last for first, last in lines)
        for store in adding
    )


def _behind(file: str, choice: ast.If | ast.While) -> list[ast.stmt]:
    """The statements of the same block that come after it, whatever else is so."""
    blocks = (
        block
        for node in nodes(file)
        for name in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(node, name, None), list) and choice in block
    )
    block = next(blocks, [])
    after = block[block.index(choice) + 1 :] if block else []
    return [statement for statement in after if not hasattr(statement, "body")]


def _done(
    statements: Iterable[ast.AST], name: str, files: Collection[str], hops: int = _HOPS
) -> Iterator[tuple[ast.AST, str]]:
    """All parts of the statements, and of the program's functions that are called there; each with
    the name by which the thing is known there.
    """
    for part in chain.from_iterable(map(ast.walk, statements)):
        yield part, name
        if hops and isinstance(part, ast.Call):
            for _, function in functions_named(called(part), files):
                yield from _done(function.body, _given(part, function, name), files, hops - 1)


def _given(call: ast.Call, function: Function, name: str) -> str:
    """The parameter for which the call gives the thing; else the same name, as an attribute's."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if names[:1] in (["self"], ["cls"]):
        del names[0]
    by_place = zip(call.args, names, strict=False)
    by_name = ((keyword.value, keyword.arg or "") for keyword in call.keywords)
    return next((known for given, known in (*by_place, *by_name) if is_it(given, name)), name)


def _lets_go(part: ast.AST, name: str) -> bool:
    return _empties(part, name) or any(is_it(each, name) for each in taken_from(part))


def _empties(part: ast.AST, name: str) -> bool:
    match part:
        case ast.Call(func=ast.Attribute(value=whole, attr="clear")):
            return is_it(whole, name)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            given = zip(targets, values, strict=False)
            return any(is_it(each, name) and _is_empty(value) for each, value in given)
        case ast.Assign(targets=targets, value=value):
            return any(is_it(each, name) for each in targets) and _is_empty(value)
    return False


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return called(value) in ("list", "deque") and not value.args
    return isinstance(value, ast.List) and not value.elts


def is_it(part: ast.expr, name: str) -> bool:
    """Whether it is the variable or the attribute of that name."""
    return name == (part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", None))
