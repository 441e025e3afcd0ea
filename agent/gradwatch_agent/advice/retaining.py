"""For an `autograd.grad` that frees a graph which is walked again. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.rewriting import replaced
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.text import statement_at

_KEEPING = ("retain_graph", "create_graph")
"""Arguments, either of which keeps it."""


def keeping(file: str, line: int) -> str | None:
    """For an `autograd.grad` that freed what is wanted after it: the statement, not freeing it;
    None if that line asks for no gradients so, or keeps the graph.
    """
    statement = statement_at(file, line)
    if statement is None:
        return None
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and called(node) == "grad" and not _keeps(node):
            asked = [each.arg for each in node.keywords if each.arg in _KEEPING]
            code = replaced(statement, node, _keeping(node, asked[0] if asked else _KEEPING[0]))
            more = "" if asked else "; with create_graph=True, if the gradients are to be trained"
            return f"It frees the graph, which is walked again: `{code}`{more}."
    return None


def _keeps(call: ast.Call) -> bool:
    """Whether it says so itself, or may say anything."""
    return any(
        each.arg is None or (each.arg in _KEEPING and ast.unparse(each.value) == "True")
        for each in call.keywords
    )


def _keeping(call: ast.Call, name: str) -> ast.Call:
    """The call, with that argument true."""
    others = [each for each in call.keywords if each.arg != name]
    keep = ast.keyword(name, ast.Constant(value=True))
    return ast.Call(call.func, call.args, [*others, keep])
