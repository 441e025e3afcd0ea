"""The statements of one function. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.source.text import tree


def statements_of(file: str, line: int) -> list[ast.stmt]:
    """The simple statements of the innermost function around a line, in their order."""
    module = tree(file)
    if module is None:
        return []
    around = [
        node
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    body: ast.AST = max(around, key=lambda node: node.lineno, default=module)
    return sorted(_simple(body), key=lambda statement: statement.lineno)


def _simple(node: ast.AST) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.stmt) and not hasattr(child, "body"):
            found.append(child)
        else:
            found += _simple(child)
    return found
