"""What a function does farther down, but only under a condition. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import NamedTuple

from gradwatch_agent.source.syntax.statements import body_around, choices_of, is_in, statements_of

_PLAIN = (
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.BinOp,
    ast.BoolOp,
    ast.Compare,
    ast.UnaryOp,
    ast.operator,
    ast.boolop,
    ast.cmpop,
    ast.unaryop,
    ast.expr_context,
)


class Occasion(NamedTuple):
    """The statement's line, and the condition that it stands under."""

    line: int
    test: ast.expr

    @property
    def is_plain(self) -> bool:
        """Whether it may be asked sooner as well: nothing is called by it."""
        return all(isinstance(part, _PLAIN) for part in ast.walk(self.test))


def later(file: str, line: int, does: Callable[[ast.stmt], bool]) -> Occasion | None:
    """The first statement behind the line that does so, under a condition that it is not under."""
    body = body_around(file, line)
    found = [
        Occasion(statement.lineno, choice.test)
        for choice in (choices_of(body) if body is not None else ())
        if choice.lineno > line and not is_in(choice.body, line)
        for block in choice.body
        for statement in ast.walk(block)
        if isinstance(statement, ast.stmt) and not hasattr(statement, "body") and does(statement)
    ]
    return min(found, key=lambda each: each.line, default=None)


def always(file: str, line: int, does: Callable[[ast.stmt], bool]) -> bool:
    """Whether a statement behind the line does so whenever the line runs."""
    body = body_around(file, line)
    choices = choices_of(body) if body is not None else ()
    apart = [c for c in choices if not (c.lineno <= line <= (c.end_lineno or c.lineno))]
    return any(
        statement.lineno > line
        and does(statement)
        and not any(c.lineno <= statement.lineno <= (c.end_lineno or c.lineno) for c in apart)
        for statement in statements_of(file, line)
    )
