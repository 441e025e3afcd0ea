"""A list that is filled until something is set, where it is full or another one is that is filled
beside it: `if len(self.seen) >= n: self.scales = scales_of(self.seen)`, and `if self.scales is not
None: return` ahead of what fills them. Pure but for reading.
"""

from __future__ import annotations

import ast

from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.flow.emptying import filled_by
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.stored.stores import Store


def are_stopped(adding: list[Store], full: list[ast.stmt]) -> bool:
    """Whether what is set by these statements decides of each of those whether it runs."""
    return bool(adding) and all(_asks_for_any(store, _set_in(full, store.file)) for store in adding)


def filled_wherever(adding: list[Store]) -> set[str]:
    """The last names of what else is filled wherever these statements stand."""
    every = [filled_by(store) for store in adding]
    return set.intersection(*every) if every else set()


def _set_in(full: list[ast.stmt], file: str) -> dict[str, bool]:
    """What is given something where it is full, `self.done = True`, there or in a method that is
    called there, and whether that is a constant; if not, it says so by being there: `self.scales =
    scales_of(samples)`.
    """
    here = [node for statement in full for node in ast.walk(statement)]
    own = (node for node in here if isinstance(node, ast.Call) and _is_own(node.func))
    inner = [part for call in own for _, f in callees(call, [file]) for part in ast.walk(f)]
    return {
        ast.unparse(target): isinstance(node.value, ast.Constant)
        for node in (*here, *inner)
        if isinstance(node, ast.Assign)
        for target in node.targets
    }


def _is_own(function: ast.expr) -> bool:
    """`self.finish`: its `self.done` is the same."""
    return isinstance(function, ast.Attribute) and ast.unparse(function.value) == "self"


def _asks_for_any(store: Store, names: dict[str, bool]) -> bool:
    """Whether one of them decides whether the statement runs."""
    tests = [test for test, _ in conditions(store.file, store.line)]
    parts = {ast.unparse(part) for test in tests for part in ast.walk(test) if _is_spelled(part)}
    there = {ast.unparse(whole) for test in tests if (whole := _asked_for(test)) is not None}
    return any(name in (parts if constant else there) for name, constant in names.items())


def _is_spelled(part: ast.AST) -> bool:
    return isinstance(part, ast.Name | ast.Attribute)


def _asked_for(test: ast.expr) -> ast.expr | None:
    """`x`, of `x is None`, `x is not None` or `not x`."""
    match test:
        case ast.Compare(left=whole, comparators=[ast.Constant(value=None)]):
            return whole
        case ast.UnaryOp(op=ast.Not(), operand=whole):
            return whole
    return test
