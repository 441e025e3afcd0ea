"""Whether a statement runs again and again. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.source.statements import body_around
from gradwatch_agent.source.stores import Store


def is_made_once(store: Store) -> bool:
    """Whether it is stored before a loop: in a constructor, or ahead of the loop that trains."""
    if store.in_loop or store.how != "assign":
        return False
    if store.function == "__init__":
        return True
    body = body_around(store.file, store.line)
    return body is not None and any(
        isinstance(loop, ast.For | ast.While | ast.AsyncFor)
        and loop.lineno > store.end_line
        and _trains(loop)
        for statement in body.body
        if not (isinstance(body, ast.Module) and hasattr(statement, "name"))
        for loop in ast.walk(statement)
    )


def _trains(loop: ast.AST) -> bool:
    """Whether a backward or a step is called inside."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in ("backward", "step", "grad")
        for node in ast.walk(loop)
    )
