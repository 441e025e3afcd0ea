"""A list that is filled until something is set, where it is full or another one is that is filled
beside it: `if len(self.seen) >= n: self.scales = scales_of(self.seen)`, and `if self.scales is not
None: return` ahead of what fills them. Pure but for reading.
"""

from __future__ import annotations

import ast

from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.flow.emptying import filled_by
from gradwatch_agent.source.stored.stores import Store


def are_stopped(adding: list[Store], full: list[ast.stmt]) -> bool:
    """Whether what is set by these statements decides of each of those whether it runs."""
    names = _set_in(full)
    return bool(adding) and all(_asks_for_any(store, names) for store in adding)


def filled_beside(adding: list[Store]) -> set[str]:
    """The last names of what else is filled wherever these statements stand."""
    every = [filled_by(store) for store in adding]
    return set.intersection(*every) if every else set()


def _set_in(full: list[ast.stmt]) -> dict[str, bool]:
    """What is given something where it is full, `self.done = True`, and whether that is a constant;
    if not, it says so by being there: `self.scales = scales_of(samples)`.
    """
    return {
        ast.unparse(target): isinstance(each.value, ast.Constant)
        for statement in full
        for each in ast.walk(statement)
        if isinstance(each, ast.Assign)
        for target in each.targets
    }


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
