"""Whether what is written somewhere has no graph, by all that the source tells. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.gradients.switching import is_off, switch_around
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import variable
from gradwatch_agent.source.syntax.statements import body_around, function_at, results_of

_CLOCKS = ("time", "monotonic", "perf_counter", "process_time")


def has_none(file: str, value: ast.expr, files: Iterable[str]) -> bool:
    """Whether it surely has none; a variable, whatever it is given."""
    every = list(files)
    if is_cut(value) or _is_made_without(file, value):
        return True
    match value:
        case ast.Name(id=name):
            place = variable(file, function_at(file, value.lineno), name)
            given = index(file).puts.get(place, ())
            return bool(given) and all(
                each.fresh or _is_made_without(file, getattr(each.node, "value", None))
                for each in given
            )
        case ast.BinOp(left=left, right=right):
            return _is_time(left) or (has_none(file, left, every) and has_none(file, right, every))
        case ast.Call():
            return _hands_back_none(value, every)
    return False


def _is_time(value: ast.expr) -> bool:
    """Whether it is what a clock shows: so is what is reckoned from it."""
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(_CLOCKS)


def _hands_back_none(call: ast.Call, files: list[str]) -> bool:
    """Whether all functions that it may be a call of hand back what has none."""
    found = callees(call, files)
    results = [(at, value) for at, each in found for _, value in results_of(each)]
    return bool(results) and all(
        is_cut(value) or _is_made_without(at, value) for at, value in results
    )


def _is_made_without(file: str, value: ast.expr | None) -> bool:
    """Whether it is computed there, and gradients are off."""
    body = body_around(file, value.lineno) if isinstance(value, ast.Call | ast.BinOp) else None
    switch = switch_around(body, value.lineno) if value is not None and body is not None else None
    return switch is not None and is_off(switch, lambda _: None) is True
