"""What to write instead of an expression that leaves a tensor without its graph. Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final

from gradwatch_agent.source.gradients.severing import graph_is_made
from gradwatch_agent.source.syntax.reading import called

_LEAVING: Final = ("detach", "detach_", "item", "numpy", "tolist")
"""Methods that give the same values without their graph."""

TO_NUMPY: Final = ("numpy", "array", "asarray")
"""What leaves torch."""

_CASTING: Final = ("float", "tensor", "Tensor", "FloatTensor", "from_numpy", *TO_NUMPY)
"""Functions that give a copy of their argument's values."""


def uncut(value: ast.expr, lists: Collection[str] = ()) -> ast.expr | None:
    """The same with its graph; None where there is none to be had: an argmax, a comparison.
    `lists`: the names of what tensors lie in.
    """
    inner = _left(value, lists)
    if inner is None:
        return None
    while (further := _left(inner, lists)) is not None:
        inner = further
    return inner


def whole_cut(statement: ast.stmt, value: ast.expr) -> ast.expr | None:
    """The expression, or the outermost around it in the statement that makes numbers or copies of
    it: `torch.tensor(loss.tolist())`. None if it is none of that statement.
    """
    if all(part is not value for part in ast.walk(statement)):
        return None
    around = [part for part in ast.walk(statement) if isinstance(part, ast.Call)]
    wholes = [call for call in around if _leads_to(call, value)]
    return wholes[0] if wholes else value  # from the outside inwards


def _leads_to(call: ast.expr, value: ast.expr) -> bool:
    inner: ast.expr | None = call
    while inner is not None and inner is not value:
        inner = _left(inner)
    return inner is value


def _left(value: ast.expr, lists: Collection[str] = ()) -> ast.expr | None:
    match value:
        case ast.Attribute(value=inner, attr="data"):
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _LEAVING:
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr="cpu")) if _left(inner) is not None:
            return inner
        case ast.Call(func=ast.Attribute(value=whose, attr="state_dict")):
            named = ast.Call(ast.Attribute(whose, "named_parameters"), [], [])
            return ast.Call(ast.Name("dict"), [named], [])
        case ast.Call(keywords=keywords) if called(value) == "grad" and not graph_is_made(value):
            graph = ast.keyword("create_graph", ast.Constant(value=True))
            others = [each for each in keywords if each.arg != "create_graph"]
            return ast.Call(value.func, value.args, [*others, graph])
        case ast.Call(args=[ast.List() | ast.ListComp() as rows]) if called(value) == "tensor":
            return ast.Call(ast.Attribute(ast.Name("torch"), "stack"), [rows], [])
        case ast.Call(args=[ast.Name(id=name) as rows]) if (
            called(value) == "tensor" and name in lists
        ):
            return ast.Call(ast.Attribute(ast.Name("torch"), "stack"), [rows], [])
        case ast.Call(args=[inner]) if called(value) in _CASTING and not _casts_only(value):
            return inner
    return None


def _casts_only(call: ast.Call) -> bool:
    """Whether it is torch's, and keeps the graph of a tensor."""
    return ast.unparse(call.func) == "torch.asarray"
