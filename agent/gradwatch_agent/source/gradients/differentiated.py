"""With respect to what gradients are asked for. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.syntax.reading import base, is_library, last_name
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import nodes


def differentiated(files: Iterable[str]) -> frozenset[str]:
    """The variables and attributes with respect to which gradients are asked for; of
    `state["weights"]` with the key, for nothing is said of the others.
    """
    return frozenset().union(*map(_differentiated_in, files))


@lru_cache(maxsize=512)
def _differentiated_in(file: str) -> frozenset[str]:
    asked = _asked_of(call for _, call in calls_of("grad", [file]))
    return asked | frozenset(filter(None, map(_left_with_one, nodes(file))))


def _left_with_one(node: ast.AST) -> str:
    """What a backward is to leave a gradient: `w.grad`, `w.retain_grad()`, `w.requires_grad_()`."""
    match node:
        case ast.Attribute(value=value, attr="grad", ctx=ast.Load()) if not is_library(node):
            return _keyed_name(value)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value, attr=name), args=[])):
            return _keyed_name(value) if name in ("retain_grad", "requires_grad_") else ""
    return ""


def differentiated_around(file: str, line: int) -> frozenset[str]:
    """Those of the function around the line."""
    body = body_around(file, line)
    first, last = getattr(body, "lineno", 1), getattr(body, "end_lineno", None) or line
    calls = (call for _, call in calls_of("grad", [file]))
    return _asked_of(call for call in calls if first <= call.lineno <= last)


def _asked_of(calls: Iterable[ast.Call]) -> frozenset[str]:
    inputs = (each for call in calls for each in _inputs(call))
    asked = (one for each in inputs for one in _wholes(each))
    return frozenset(name for name in map(_keyed_name, asked) if name)


def _keyed_name(node: ast.AST) -> str:
    if isinstance(node, ast.Subscript):
        return f"{_keyed_name(node.value)}[{ast.unparse(node.slice)}]"
    return last_name(node)


def _inputs(call: ast.Call) -> Iterator[ast.AST]:
    """What a call names as inputs: of `(state.weight, state.bias)` the last attributes."""
    given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "inputs")]
    for value in given:
        yield from value.elts if isinstance(value, ast.Tuple | ast.List) else (value,)


def _wholes(value: ast.AST) -> Iterator[ast.AST]:
    """Of `tuple(self.fast.values())`, and of all `self.fast[k] for k in names`, `self.fast`."""
    match value:
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[inner]):
            yield from _wholes(inner)
        case ast.ListComp(elt=one, generators=drawn) | ast.GeneratorExp(elt=one, generators=drawn):
            yield from (base(one), *(base(each.iter) for each in drawn))
        case ast.Subscript(value=whole, slice=ast.Constant(value=str())) if base(whole) is whole:
            yield value
        case ast.expr():
            yield base(value)
