"""Where a program switches gradients off, for a block or until they are switched on again.

Pure but for reading.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.calls import may_run
from gradwatch_agent.source.syntax.reading import called, dotted
from gradwatch_agent.source.syntax.statements import body_around, is_in
from gradwatch_agent.source.syntax.text import mentions, nodes

_MODES: Final = ("no_grad", "inference_mode", "set_grad_enabled", "enable_grad")

_SPOKEN: Final = _MODES[:3]
"""Without one of these a file switches nothing off."""

Truth = Callable[[ast.expr], bool | None]
"""Whether a condition holds; None if that is not known."""


def is_off(switch: ast.expr, truth: Truth) -> bool | None:
    """Whether gradients are off by that one; None if it is not known, or it leaves them as they
    are.
    """
    name = _mode(switch)
    given = (
        [*switch.args, *(k.value for k in switch.keywords)] if isinstance(switch, ast.Call) else []
    )
    known = truth(given[0]) if given else True
    if name == "enable_grad":
        return False
    if name == "set_grad_enabled":
        return None if known is None else not known
    return True if known else None


def _mode(switch: ast.expr) -> str:
    function = switch.func if isinstance(switch, ast.Call) else switch
    name = (dotted(function) or "").rpartition(".")[2]
    return name if name in _MODES else ""


def switch_around(body: ast.AST, line: int) -> ast.expr | None:
    """What has set the mode of gradients at a line of a function: the expression of the innermost
    `with` statement that does, else the decorator.
    """
    around = [switch for block, switch in _switches_in(body) if not block or is_in(block, line)]
    return max(around, key=lambda switch: (switch.lineno, switch.col_offset), default=None)


@lru_cache(maxsize=1_024)
def _switches_in(body: ast.AST) -> tuple[tuple[list[ast.stmt], ast.expr], ...]:
    """With the blocks that they are for; of a decorator with none."""
    found: list[tuple[list[ast.stmt], ast.expr]] = [
        ([], each) for each in getattr(body, "decorator_list", ()) if _mode(each)
    ]
    for node in ast.walk(body):
        if isinstance(node, ast.With | ast.AsyncWith):
            heads = (item.context_expr for item in node.items)
            found += [(node.body, head) for head in heads if _mode(head)]
    return tuple(found)


def applied(files: Iterable[str]) -> Iterator[tuple[str, ast.Call]]:
    """The calls that lay a mode around a function: `torch.no_grad()(forward)`."""
    for file in files:
        for node in nodes(file) if any(mentions(file, mode) for mode in _SPOKEN) else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and _mode(node.func):
                yield file, node


def chosen_of(value: ast.expr, truth: Truth) -> list[ast.expr]:
    """What it may come to: of `a if test else b` both sides, but for one known not to be it."""
    if not isinstance(value, ast.IfExp):
        return [value]
    known = truth(value.test)
    return [value.body] * (known is not False) + [value.orelse] * (known is not True)


def is_mode(value: ast.expr) -> bool:
    """Whether the expression makes a mode of gradients."""
    return bool(_mode(value))


def switches(function: ast.AST, before: float = math.inf) -> list[ast.expr]:
    """The calls in it, ahead of that line, that switch gradients off and leave them so."""
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    return [call for call in calls if call.lineno < before and _switches(call)]


def left_off(files: Iterable[str]) -> list[tuple[str, ast.stmt]]:
    """The statements that switch gradients off until something switches them on again; those come
    first behind which nothing in their function does.
    """
    found = [(file, *each) for file in files for each in _left_off_in(file)]
    return [(file, node) for file, node, _ in sorted(found, key=lambda each: not each[2])]


def is_called(file: str, line: int, files: Iterable[str]) -> bool:
    """Whether somebody may call the function that the line stands in."""
    name = getattr(body_around(file, line), "name", "")
    return not name or may_run(name, files)


@lru_cache(maxsize=512)
def _left_off_in(file: str) -> tuple[tuple[ast.stmt, bool], ...]:
    if not any(mentions(file, mode) for mode in _SPOKEN):
        return ()
    found: list[tuple[ast.stmt, bool]] = []
    for node in nodes(file):
        match node:
            case ast.Expr(value=ast.Call() as call) | ast.Assign(value=ast.Call() as call):
                if _switches(call) is True:
                    found.append((node, not _is_on_again(file, node.lineno)))
    return tuple(found)


def _switches(call: ast.Call) -> bool | None:
    """Whether it does, by `set_grad_enabled(False)`, `no_grad().__enter__()`,
    `stack.enter_context(no_grad())`; False if it switches them on.
    """
    switch: ast.expr | None = call if called(call) == "set_grad_enabled" else None
    if called(call) in ("__enter__", "enter_context"):
        entered = call.func.value if isinstance(call.func, ast.Attribute) else None
        switch = call.args[0] if call.args else entered
    return is_off(switch, as_written) if switch is not None and _mode(switch) else None


def as_written(value: ast.expr) -> bool | None:
    """What is not written may well be False; see who asks."""
    return bool(value.value) if isinstance(value, ast.Constant) else False


def _is_on_again(file: str, line: int) -> bool:
    """Whether, further down in the function, they are switched on."""
    body = body_around(file, line)
    calls = (node for node in ast.walk(body) if isinstance(node, ast.Call)) if body else ()
    return any(
        call.lineno > line and (called(call) == "__exit__" or _switches(call) is False)
        for call in calls
    )
