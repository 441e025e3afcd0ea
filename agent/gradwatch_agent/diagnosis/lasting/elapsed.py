"""Whether a statement will not run again: `if step < warm_up`, once so many steps have passed.

Must not know what the statement does, nor how it is known that something only grows.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, Final

from gradwatch_agent.diagnosis.lasting.counters import Seen, limit, tally
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import SWAPPED
from gradwatch_agent.source.syntax.statements import body_around, function_at

_IN_THE_END: Final = {
    ast.Lt: False, ast.LtE: False, ast.Eq: False, ast.Gt: True, ast.GtE: True, ast.NotEq: True,
}  # fmt: skip
"""What a comparison of something that grows with something that stays comes to."""


def is_over(store: Store, known: Mapping[str, Any]) -> bool:
    """Whether it will not run again, or not cut again what it cuts now and then. `known`: what
    names of its function stand for, should that not run now.
    """
    value = getattr(store.node, "value", None)
    if isinstance(value, ast.IfExp):
        seen = Seen(store.file, function_at(store.file, store.line), known)
        outcome = _outcome(value.test, seen)
        if outcome is not None and not is_cut(value.body if outcome else value.orelse):
            return True
    if _is_passed(store.file, store.line, known):
        return True
    calls = list(callers(store.file, store.line, own_files()))
    return bool(calls) and all(_is_passed(file, call.lineno, {}) for file, call in calls)


def _is_passed(file: str, line: int, known: Mapping[str, Any]) -> bool:
    """Whether a condition that is decided for good keeps the line from running."""
    body = body_around(file, line)
    branches = [node for node in ast.walk(body) if isinstance(node, ast.If)] if body else []
    seen = Seen(file, function_at(file, line), known)
    return any(
        (_covers(branch.body, line) and _outcome(branch.test, seen) is False)
        or (_covers(branch.orelse, line) and _outcome(branch.test, seen) is True)
        for branch in branches
    )


def _covers(block: list[ast.stmt], line: int) -> bool:
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or line)


def _outcome(test: ast.expr, seen: Seen) -> bool | None:
    """What the test comes to from now on; None if that may change."""
    match test:
        case ast.BoolOp(op=op, values=parts):
            outcomes = [_outcome(part, seen) for part in parts]
            decisive = isinstance(op, ast.Or)
            if decisive in outcomes:
                return decisive
            return None if None in outcomes else not decisive
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            outcome = _outcome(inner, seen)
            return None if outcome is None else not outcome
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            outcome = _compared(left, type(op), right, seen)
            if outcome is None:
                return _compared(right, SWAPPED.get(type(op), type(op)), left, seen)
            return outcome
    return None


def _compared(count: ast.expr, how: type[ast.cmpop], most: ast.expr, seen: Seen) -> bool | None:
    """Of one that grows with one that stays."""
    if how not in _IN_THE_END or (now := tally(count, seen)) is None:
        return None
    if (end := limit(most, seen)) is None:
        return None
    passed = now >= end if how in (ast.Lt, ast.GtE) else now > end
    return _IN_THE_END[how] if passed else None
