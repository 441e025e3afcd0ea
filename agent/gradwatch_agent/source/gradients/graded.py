"""By which name a function reads the gradient that a backward has left. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.source.syntax.reading import dotted
from gradwatch_agent.source.syntax.statements import body_around


def gradient_read(file: str, line: int) -> str | None:
    """The first `x.grad` that the function around the line reads from there on; None without."""
    body = body_around(file, line)
    every = list(ast.walk(body)) if body is not None else []
    called = {node.func for node in every if isinstance(node, ast.Call)}
    read = [
        (node.lineno, node.col_offset, name)
        for node in every
        if isinstance(node, ast.Attribute) and node.attr == "grad" and node not in called
        if isinstance(node.ctx, ast.Load) and node.lineno >= line
        if (name := dotted(node)) is not None
    ]
    return min(read)[2] if read else None
