"""Functions of the program that hand back nothing with a graph: `repackage(h)`, `h.truncated()`.

What is stored of theirs is not what leaks. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradwatch_agent.source.freshness import Carries, carries
from gradwatch_agent.source.reading import called, speaks_of
from gradwatch_agent.source.statements import functions_of

_CHANGED = ("replace", "_replace")
"""Calls that give a record with some fields changed."""


def hands_back_cut(statement: ast.AST, files: Iterable[str]) -> bool:
    """Whether what the statement assigns is handed back by such a function, by all of that name."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or not isinstance(value, ast.Call):
        return False
    name = called(value)
    found = [each for file in files for each in functions_of(file) if each.name == name]
    return bool(found) and all(_cuts(each) for each in found)


def ends_graphs(statement: ast.stmt) -> bool:
    """Whether what it detaches may be the state it stores: not `v - threshold * spike.detach()`,
    which goes on with the state and leaves a part of what is added without a graph.
    """
    value = getattr(statement, "value", None)
    if not speaks_of(statement, "detach", "detach_"):
        return False
    return not isinstance(value, ast.BinOp) or is_cut(value)


def _cuts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(returned) and all(is_cut(value, function.name) for value in returned)


def is_cut(value: ast.expr | None, own: str | None = None) -> bool:
    """Whether it carries no graph; what the function `own` hands back to itself decides
    nothing.
    """
    match value:
        case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
            return is_cut(part, own)
        case ast.DictComp(value=part):
            return is_cut(part, own)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(is_cut(part, own) for part in parts)
        case ast.IfExp(body=body, orelse=other):
            return is_cut(body, own) and is_cut(other, own)
        case ast.Call(func=ast.Name(id="tuple" | "list" | "dict"), args=[part], keywords=[]):
            return is_cut(part, own)
        case ast.Call() if called(value) in _CHANGED and value.keywords:
            return all(is_cut(keyword.value, own) for keyword in value.keywords)
        case ast.Call() if own is not None and called(value) == own:
            return True
        case None | ast.Constant():
            return False  # told by what it is otherwise
    return carries(value, lambda _: Carries.GRAPH) is not Carries.GRAPH
