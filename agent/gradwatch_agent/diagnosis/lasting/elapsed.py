"""Whether a statement will not run again: `if step < warm_up`, once so many steps have passed; or
for how many more it may.

Must not know what the statement does, nor how it is known that something only grows.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from typing import Any, Final

from gradwatch_agent.diagnosis.lasting.counters import Seen, limit, tally
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.gradients.cut import graphs_if, is_cut
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import SWAPPED
from gradwatch_agent.source.syntax.statements import function_at

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
        ways = ((value.body, True), (value.orelse, False))
        if any(not _left(value.test, not way, seen) and not is_cut(part) for part, way in ways):
            return True
    return not counts_left(store, known)


def graphs_left(store: Store, known: Mapping[str, Any]) -> float:
    """How many counts more it may store a graph: `append(loss if n < 9 else loss.item())`."""
    seen = Seen(store.file, function_at(store.file, store.line), known)
    left = (_left(test, wanted, seen) for test, wanted in graphs_if(store.node))
    return min(counts_left(store, known), min(left, default=math.inf))


def counts_left(store: Store, known: Mapping[str, Any]) -> float:
    """How many counts more it may run, of what its conditions count; infinity where none ends it.
    `known`: as above.
    """
    around = [
        _left_at(file, call.lineno, known if _is_beside(store, file, call.lineno) else {})
        for file, call in callers(store.file, store.line, own_files())
    ]
    return min(_left_at(store.file, store.line, known), max(around, default=math.inf))


def _is_beside(store: Store, file: str, line: int) -> bool:
    """Whether the line is of a method of the same class."""
    scope = index(file).scopes.get(function_at(file, line))
    return file == store.file and scope is not None and scope.owner == store.owner != ""


def _left_at(file: str, line: int, known: Mapping[str, Any]) -> float:
    """The same of a line, by the conditions of its function alone."""
    seen = Seen(file, function_at(file, line), known)
    asked = conditions(file, line)
    return min((_left(test, wanted, seen) for test, wanted in asked), default=math.inf)


def _left(test: ast.expr, wanted: bool, seen: Seen) -> float:  # noqa: FBT001
    """How many counts more the test may come to that; 0 if never again."""
    match test:
        case ast.BoolOp(op=op, values=parts):
            each = [_left(part, wanted, seen) for part in parts]
            return min(each) if isinstance(op, ast.And) == wanted else max(each)
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _left(inner, not wanted, seen)
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = zip([left, *others], ops, others, strict=False)
            each = [_compared(*side, wanted=wanted, seen=seen) for side in sides]
            return min(each) if wanted else max(each)
    return math.inf


def _compared(left: ast.expr, op: ast.cmpop, right: ast.expr, *, wanted: bool, seen: Seen) -> float:
    """The same of two that are compared."""
    match op, right:
        case ast.In() | ast.NotIn(), ast.Call(func=ast.Name(id="range"), args=[*_, last] as given):
            op = ast.Lt() if isinstance(op, ast.In) else ast.GtE()
            right = given[1] if len(given) > 1 else last
        case ast.In(), ast.Tuple(elts=several) | ast.List(elts=several) | ast.Set(elts=several):
            return _listed(left, several, seen) if wanted else math.inf
    swapped = SWAPPED.get(type(op), type(op))
    ways = ((left, type(op), right), (right, swapped, left))
    found = (_until(*way, seen) for way in ways if _IN_THE_END.get(way[1]) != wanted)
    return next((count for count in found if count is not None), math.inf)


def _listed(count: ast.expr, several: list[ast.expr], seen: Seen) -> float:
    """How many of the numbers are yet to come, of those that are listed: `step in (10, 20, 40)`."""
    now, ends = tally(count, seen), [limit(each, seen) for each in several]
    known = [end for end in ends if end is not None]
    if now is None or len(known) < len(ends):
        return math.inf
    return sum(end >= now for end in known)


def _until(count: ast.expr, how: type[ast.cmpop], most: ast.expr, seen: Seen) -> int | None:
    """How many counts are left until the comparison of one that grows with one that stays comes to
    what it will be in the end; None if it is not such a one.
    """
    if how not in _IN_THE_END or (now := tally(count, seen)) is None:
        return None
    if (end := limit(most, seen)) is None:
        return None
    return max(0, end - now + (how not in (ast.Lt, ast.GtE)))
