"""Whether a statement fills a store only with what is not there yet, or only up to a bound: by its
source. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from gradwatch_agent.source.flow.conditions import conditions, covers
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around

_ASKING: Final = (ast.In, ast.NotIn)
_LESS: Final = (ast.Lt, ast.LtE)
_MORE: Final = (ast.Gt, ast.GtE)
_GATHERING: Final = ("append", "add", "extend")


def is_guarded(file: str, line: int) -> bool:
    """Whether the statement is reached only while something is not there yet, or not too much:
    under an `if`, behind one that leaves its block, or for what was found missing before.
    """
    function = body_around(file, line)
    if function is None:
        return False
    tests = conditions(file, line)
    return any(_guards(test, function, holds=holds) for test, holds in tests) or any(
        isinstance(node, ast.For)
        and covers(node.body, line)
        and (_misses_any(node.iter, function) or _is_of_the_missing(node.iter, function))
        for node in ast.walk(function)
    )


def _guards(test: ast.expr, function: ast.AST, *, holds: bool) -> bool:
    """Whether it bounds what is stored where it comes to that."""
    asked = (part for part in ast.walk(test) if isinstance(part, ast.Compare))
    return (
        any(_bounds(each, leaves=not holds) for each in asked)
        or _misses_any(test, function, holds=holds)
        or _is_of_the_missing(test, function)
    )


def _misses_any(asked: ast.expr, function: ast.AST, *, holds: bool = True) -> bool:
    asks = (part for part in ast.walk(asked) if isinstance(part, ast.Compare))
    return any(misses(each, function, holds=holds) for each in asks)


def _is_of_the_missing(asked: ast.expr, function: ast.AST) -> bool:
    """Whether it goes by what a store does not have yet."""
    names = {node.id for node in ast.walk(asked) if isinstance(node, ast.Name)}
    return any(map(_leaves_out, ast.walk(asked))) or not names.isdisjoint(_missing(function))


def _missing(function: ast.AST) -> Iterator[str]:
    """Variables for that: `missing = [i for i in ids if i not in cache]`, or one at a time."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if any(map(_leaves_out, ast.walk(value))):
                    yield name
            case ast.If(test=test) if _asks_for_missing(test):
                yield from map(_gatherer, ast.walk(node))


def _gatherer(part: ast.AST) -> str:
    """The variable that something is put into there."""
    match part:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=how)) if how in _GATHERING:
            return name
    return ""


def _leaves_out(part: ast.AST) -> bool:
    """Whether it is what is there of one thing and not of another."""
    match part:
        case ast.comprehension(ifs=tests):
            return any(_asks_for_missing(test) for test in tests)
        case ast.BinOp(op=ast.Sub(), left=left, right=right):
            return any(isinstance(side, ast.Call) and _is_set(side) for side in (left, right))
        case ast.Call():
            return called(part) == "difference"
    return False


def _asks_for_missing(test: ast.expr) -> bool:
    compared = (node for node in ast.walk(test) if isinstance(node, ast.Compare))
    return any(isinstance(op, ast.NotIn) for each in compared for op in each.ops)


def _is_set(call: ast.Call) -> bool:
    return called(call) in ("set", "keys", "frozenset")


def _bounds(test: ast.Compare, *, leaves: bool) -> bool:
    """Whether it asks for what is there already, or for a number that may be as high as it gets:
    not `if step < self.warm_up: return`, after which all is stored.
    """
    if any(isinstance(op, _ASKING) for op in test.ops):
        return True
    sides = [test.left, *test.comparators]
    for left, op, right in zip(sides, test.ops, sides[1:], strict=False):
        if isinstance(op, _LESS if leaves else _MORE) and not (_stays(right) and not _stays(left)):
            return True
        if isinstance(op, _MORE if leaves else _LESS) and not (_stays(left) and not _stays(right)):
            return True
    return False


def _stays(number: ast.expr) -> bool:
    """Whether it is likely to be the same throughout: a setting."""
    if isinstance(number, ast.Name):
        return number.id.isupper()
    return isinstance(number, ast.Constant | ast.Attribute)


def misses(test: ast.Compare, function: ast.AST, *, holds: bool = True) -> bool:
    """Whether something has not what it was asked for if the test comes to that: `hit is None`, of
    `hit = self.entries.get(key)`.
    """
    lacking = ast.Is if holds else ast.IsNot
    if not isinstance(test.ops[0], lacking) or ast.unparse(test.comparators[0]) != "None":
        return False
    if isinstance(test.left, ast.NamedExpr):
        return _asks(test.left.value)
    name = ast.unparse(test.left)
    return any(
        isinstance(node, ast.Assign)
        and name in map(ast.unparse, node.targets)
        and _asks(node.value)
        for node in ast.walk(function)
    )


def _asks(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and called(value) == "get"
