"""Under which conditions a line is reached. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from gradwatch_agent.source.syntax.statements import body_around

_LEAVING: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def conditions(file: str, line: int) -> Iterator[tuple[ast.expr, bool]]:
    """The tests of its function, and what each must come to: those that the line stands under, and
    those behind which its block is left.
    """
    body = body_around(file, line)
    for node in ast.walk(body) if body is not None else ():
        if isinstance(node, ast.If):
            if covers(node.body, line):
                yield node.test, True
            elif covers(node.orelse, line):
                yield node.test, False
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and covers(block, line):
                yield from ((test, False) for test in _leaving(block, line))


def _leaving(block: list[ast.stmt], line: int) -> Iterator[ast.expr]:
    for each in block:
        leaves = isinstance(each, ast.If) and isinstance(each.body[-1], _LEAVING)
        if isinstance(each, ast.If) and leaves and each.body[-1].lineno < line:
            yield each.test


def covers(block: list[ast.stmt], line: int) -> bool:
    """Whether the line is of one of its statements."""
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or line)
