"""Whether a variable carries anything from one round of its loop to the next. Pure but for reading.

It does not where each round gives it something new before it reads it: so much the syntax tree
tells, without following branches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from gradwatch_agent.source.loops import LOOPS
from gradwatch_agent.source.places import Store
from gradwatch_agent.source.statements import body_around

_Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def is_reborn(name: str, stores: Iterable[Store]) -> bool:
    """`stores`: all statements that store into the variable, those ahead of the loop too."""
    looped = [store for store in stores if store.in_loop]
    body = body_around(looped[0].file, looped[0].line) if looped else None
    if body is None:
        return False
    loops = {_loop_around(body, store.line) for store in looped}
    loop = loops.pop()
    if loop is None or loops or _is_read_within(body, name):
        return False
    if isinstance(loop, ast.While) and _speaks(loop.test, name):
        return False
    return _binds_first(loop.body, name)


def _loop_around(body: ast.AST, line: int) -> _Loop | None:
    """The innermost loop in whose body the line is."""
    around = [
        node
        for node in ast.walk(body)
        if isinstance(node, LOOPS)
        and node.body[0].lineno <= line <= (node.body[-1].end_lineno or line)
    ]
    return max(around, key=lambda loop: loop.lineno, default=None)


def _is_read_within(body: ast.AST, name: str) -> bool:
    """Whether a function that is made there may read it, whenever that is called."""
    inner = (node for node in ast.walk(body) if node is not body and isinstance(node, _SCOPES))
    return any(_speaks(node, name) for node in inner)


def _binds_first(statements: Sequence[ast.stmt], name: str) -> bool:
    """Whether the first of them that speaks of it stores into it, and does nothing else with it."""
    first = next((each for each in statements if _speaks(each, name)), None)
    match first:
        case ast.Assign(targets=targets, value=value):
            return not _speaks(value, name) and any(_names(t, name) for t in targets)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            return not _speaks(value, name) and _names(target, name)
        case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
            return not any(_speaks(item, name) for item in items) and _binds_first(inner, name)
    return False


def _names(target: ast.expr, name: str) -> bool:
    """Whether it is the variable itself, or one of several that are given something."""
    match target:
        case ast.Name(id=given):
            return given == name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_names(part, name) for part in parts) and not any(
                _speaks(part, name) for part in parts if not _names(part, name)
            )
        case ast.Starred(value=value):
            return _names(value, name)
    return False


def _speaks(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))
