"""Where a program switches gradients off, for a block or until they are switched on again.

Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.reading import called, dotted
from gradwatch_agent.source.severing import is_false
from gradwatch_agent.source.statements import body_around
from gradwatch_agent.source.text import mentions, nodes

_MODES: Final = ("no_grad", "inference_mode", "set_grad_enabled")


def switch(value: ast.expr) -> ast.expr | None:
    """What switches gradients off, if the expression, of a `with` or a decorator, does: with the
    call of `set_grad_enabled` it is for its argument to say.
    """
    function = value.func if isinstance(value, ast.Call) else value
    name = (dotted(function) or "").rpartition(".")[2]
    if name not in _MODES:
        return None
    given = [*value.args, *(k.value for k in value.keywords)] if isinstance(value, ast.Call) else []
    on = any(isinstance(each, ast.Constant) and each.value is True for each in given)
    off = any(map(is_false, given))
    return None if (on if name == "set_grad_enabled" else off) else value


def switches_around(body: ast.AST, line: int) -> Iterator[ast.expr]:
    """What may switch gradients off around a line of a function: the expressions of `with`
    statements, the innermost first, and then those of its decorators.
    """
    found = [
        off
        for node in ast.walk(body)
        if isinstance(node, ast.With | ast.AsyncWith)
        and node.body[0].lineno <= line <= (node.end_lineno or line)
        for item in node.items
        if (off := switch(item.context_expr)) is not None
    ]
    yield from sorted(found, key=lambda each: -each.lineno)
    if isinstance(body, ast.FunctionDef | ast.AsyncFunctionDef):
        yield from (off for each in body.decorator_list if (off := switch(each)) is not None)


def left_off(files: Iterable[str]) -> list[tuple[str, ast.stmt]]:
    """The statements that switch gradients off until something switches them on again; those come
    first behind which nothing in their function does.
    """
    found = [(file, *each) for file in files for each in _left_off_in(file)]
    return [(file, node) for file, node, _ in sorted(found, key=lambda each: not each[2])]


@lru_cache(maxsize=512)
def _left_off_in(file: str) -> tuple[tuple[ast.stmt, bool], ...]:
    if not any(mentions(file, mode) for mode in _MODES):
        return ()
    found: list[tuple[ast.stmt, bool]] = []
    for node in nodes(file):
        match node:
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                if _switched(call) is not None:
                    found.append((node, not _is_on_again(file, node.lineno)))
    return tuple(found)


def _is_on_again(file: str, line: int) -> bool:
    """Whether, further down in the function, they are switched to something else."""
    body = body_around(file, line)
    calls = (node for node in ast.walk(body) if isinstance(node, ast.Call)) if body else ()
    return any(call.lineno > line and _switches_on(call) for call in calls)


def _switches_on(call: ast.Call) -> bool:
    name = called(call)
    return name == "__exit__" or (name == "set_grad_enabled" and _switched(call) is None)


def _switched(call: ast.Call) -> ast.expr | None:
    """By `set_grad_enabled(False)`, `no_grad().__enter__()`, `stack.enter_context(no_grad())`."""
    if called(call) == "set_grad_enabled":
        return switch(call)
    if _is_entered(call):
        entered = call.func.value if isinstance(call.func, ast.Attribute) else None
        given = call.args[0] if call.args else entered
        return switch(given) if given is not None else None
    return None


def _is_entered(call: ast.Call) -> bool:
    return called(call) in ("__enter__", "enter_context")
