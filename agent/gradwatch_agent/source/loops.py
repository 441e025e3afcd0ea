"""Whether a statement runs again and again. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.source.scopes import MODULE
from gradwatch_agent.source.stores import Store
from gradwatch_agent.source.text import tree


def is_made_once(store: Store) -> bool:
    """Whether it is stored before a loop: in a constructor, or ahead of the loop that trains."""
    if store.in_loop or store.how != "assign":
        return False
    if store.function == "__init__":
        return True
    module = tree(store.file)
    if module is None:
        return False
    return any(
        isinstance(loop, ast.For | ast.While | ast.AsyncFor)
        and loop.lineno > store.end_line
        and _trains(loop)
        for loop in ast.walk(_around(module, store))
    )


def _around(module: ast.Module, store: Store) -> ast.AST:
    """The function that the statement belongs to."""
    if store.scope == MODULE:
        return ast.Module([s for s in module.body if not hasattr(s, "name")], [])
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            if first == store.scope:
                return node
    return ast.Module([], [])


def _trains(loop: ast.AST) -> bool:
    """Whether a backward or a step is called inside."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in ("backward", "step", "grad")
        for node in ast.walk(loop)
    )
