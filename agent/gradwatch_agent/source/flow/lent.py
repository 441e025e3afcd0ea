"""Whether what takes a thing's place gives it back: `saved, net.h = net.h, zeros`, and further on
in the same function `net.h = saved`. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.statements import statements_of


def gives_back(store: Store) -> bool:
    """Whether the function of the statement does so, from a variable that has what was there."""
    statements = statements_of(store.file, store.line)
    until = [each for each in statements if each.lineno <= store.line]
    later = [each for each in statements if each.lineno > store.line]
    saved = {
        target.id
        for target, value in _given(until)
        if isinstance(target, ast.Name) and ast.unparse(_thing(value)) == store.target
    }
    return any(
        ast.unparse(target) == store.target and isinstance(value, ast.Name) and value.id in saved
        for target, value in _given(later)
    )


def _given(statements: Iterable[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is given to what, be it one of several: `s, n = s + x, n + 1`."""
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                yield from zip(targets, values, strict=False)
            case ast.Assign(targets=targets, value=value):
                yield from ((target, value) for target in targets)


def _thing(value: ast.expr) -> ast.expr:
    """`h`, of `h.detach().clone()`."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value
    return value
