"""What an expression reads: dotted names, the place at its base, whether it can carry a graph.

Pure.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from gradwatch_agent.source.syntax.targets import through_dict
from gradwatch_agent.source.syntax.vocabulary import VIEWING

SHAPES: Final = frozenset(("shape", "dtype", "device", "ndim", "training", "requires_grad"))
"""Attributes of a tensor, or of a module, that carry no graph."""

_LOOKING: Final = frozenset(
    ("len", "size", "dim", "numel", "zeros_like", "ones_like", "rand_like", "randn_like")
)
"""Calls that ask a tensor for no more than such."""

_WITHIN: Final = frozenset(("setdefault", "get", "values", "items", "__getitem__"))
"""Methods whose result lies in the container they are called on."""

SWAPPED: Final = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
"""How `a < b` reads from the other side."""


def dotted(node: ast.AST) -> str | None:
    """The dotted name that a node is; None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else None
    return None


def reads(node: ast.AST) -> list[str]:
    """The dotted names an expression or statement reads, e.g. ["Yest", "self.state"]."""
    found: list[str] = []
    for child in ast.walk(node):
        if isinstance(getattr(child, "ctx", None), ast.Load):
            name = dotted(child)
            if name is not None and name not in found:
                found.append(name)
    return found


def reads_closely(node: ast.AST) -> list[str]:
    """The same, but for those of which it merely asks how long, or of what shape, a thing is."""
    return list(dict.fromkeys(name for part in _seen_closely(node) for name in _own_name(part)))


def _own_name(node: ast.AST) -> Iterator[str]:
    if isinstance(getattr(node, "ctx", None), ast.Load) and (name := dotted(node)) is not None:
        yield name


def _seen_closely(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        if not only_looks(child):
            yield from _seen_closely(child)


def only_looks(node: ast.AST) -> bool:
    """Whether it asks a thing no more than how it looks: `len(x)`, `x.shape`, `x.size(0)`,
    `torch.zeros_like(x)`.
    """
    match node:
        case ast.Attribute(attr=name):
            return name in SHAPES
        case ast.Call():
            return called(node) in _LOOKING
    return False


def base(node: ast.expr) -> ast.expr:
    """The variable or attribute in which the thing lies: `log` of `log["loss"].get(k)`."""
    while True:
        if (attribute := through_dict(node)) is not node:
            return attribute
        if isinstance(node, ast.Subscript | ast.Starred):
            node = node.value
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _WITHIN
        ):
            node = node.func.value
        else:
            return node


def seen_in(node: ast.expr) -> ast.expr:
    """The tensor of which it is a view: `state.probs` of `state.probs.detach()[:, 1:]`."""
    while True:
        match node:
            case ast.Subscript(value=inner) | ast.Attribute(value=inner, attr="data" | "T" | "mT"):
                node = inner
            case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in VIEWING:
                node = inner
            case _:
                return node


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    return last_name(call.func)


def last_name(node: ast.AST | None) -> str:
    """The variable's name, or the attribute's; empty for all else."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def parts(statement: ast.AST) -> Iterator[ast.AST]:
    """What the statement is made of, without the statements in its body."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        inner = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))
        waiting.extend(inner)


def speaks_of(statement: ast.AST, *names: str) -> bool:
    """Whether it uses an attribute, or gives an argument, that is called so; comments aside."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr in names)
        or (isinstance(part, ast.keyword) and part.arg in names)
        for part in parts(statement)
    )


def is_handed_on(call: ast.Call) -> bool:
    """Whether a backward is called on a library's module or object, and handed what it is of."""
    owner = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else None
    return (owner or "").rpartition(".")[2] in ("autograd", "accelerator", "fabric")


def receiver(node: ast.stmt) -> str | None:
    """The dotted name on which the statement calls backward, or that it hands to it."""
    for call in ast.walk(node):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr not in ("backward", "grad"):
            continue
        own = dotted(call.func.value)
        if is_handed_on(call):
            own = dotted(call.args[0]) if call.args else None
        return own
    return None


def is_library(node: ast.expr) -> bool:
    """`torch`, `F`, `nn.init`, or what one of these has."""
    name = dotted(node) or ""
    return name.partition(".")[0] in ("torch", "F", "nn", "init", "functional")


def is_empty(value: ast.expr) -> bool:
    """Whether it makes a list or dict that has nothing in it."""
    match value:
        case ast.Call(args=[]):
            return called(value) in ("list", "deque", "dict", "OrderedDict")
        case ast.Call(args=[_]):
            return called(value) == "defaultdict"
        case ast.Dict(keys=[]) | ast.List(elts=[]):
            return True
    return False


def names_given(node: ast.AST) -> frozenset[str]:
    """The variables that are given something in it."""
    every = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return frozenset(each.id for each in every if isinstance(each.ctx, ast.Store))
