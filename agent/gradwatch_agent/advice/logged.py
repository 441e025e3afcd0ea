"""For what a logger was given, and a handler keeps in its records. Pure."""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import all_replaced, detached, number
from gradwatch_agent.source.syntax.reading import called

_FIRST: Final = {"log": 2} | dict.fromkeys(
    ("debug", "info", "warning", "error", "exception", "critical"), 1
)
"""Where what goes into the text begins, by the method."""


def logged_plain(kept: Kept, statement: ast.stmt) -> str | None:
    """The call with numbers in place of those that carry graphs; None if it is no such call."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or kept.labels[-2:-1] != (".args",):
        return None
    first, labels = _FIRST.get(called(call)), {kept.labels[-1], *kept.beside}
    given = enumerate(call.args[first:]) if first is not None else ()
    plain = number if kept.scalar else detached
    changes = [(value, plain(value)) for place, value in given if f"[{place}]" in labels]
    if not changes:
        return None
    return f"Log what has no graph: `{all_replaced(statement, changes)}`."
