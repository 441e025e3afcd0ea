"""What an expression reads: dotted names, the place at its base, whether it can carry a graph.

Pure.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Final

_FRESH: Final = frozenset(
    (
        "zeros",
        "ones",
        "empty",
        "full",
        "randn",
        "rand",
        "randint",
        "arange",
        "zeros_like",
        "ones_like",
        "tensor",
        "detach",
        "item",
        "numpy",
        "tolist",
        "list",
        "dict",
        "deque",
        "set",
        "tuple",
        "defaultdict",
        "OrderedDict",
        "Counter",
        "float",
        "int",
        "str",
        "bool",
        "len",
        "round",
        "repr",
        "range",
        "perf_counter",
        "argmax",
        "argmin",
        "numel",
        "from_numpy",
    )
)
"""Calls whose result carries no graph: what is stored so is not what leaks. Those of builtin
containers only where nothing goes in."""

_WRAPPING: Final = frozenset(
    ("list", "dict", "deque", "set", "tuple", "defaultdict", "OrderedDict", "Counter")
)

_WITHIN: Final = frozenset(("setdefault", "get", "values", "items", "__getitem__"))
"""Methods whose result lies in the container they are called on."""


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


def base(node: ast.expr) -> ast.expr:
    """The variable or attribute in which the thing lies: `log` of `log["loss"].get(k)`."""
    while True:
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


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def is_fresh(value: ast.expr | None, known: Callable[[str], bool]) -> bool:
    """Whether the value can carry no graph: a constant, an empty container, a new tensor.

    `known` tells of a plain variable whether nothing else is ever stored in it.
    """
    match value:
        case None | ast.Constant() | ast.JoinedStr() | ast.Compare():
            return True
        case ast.Name(id=name):
            return known(name)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return all(is_fresh(part, known) for part in parts)
        case ast.Dict(values=parts):
            return all(is_fresh(part, known) for part in parts)
        case ast.BinOp(left=left, right=right):
            return is_fresh(left, known) and is_fresh(right, known)
        case ast.UnaryOp(operand=operand):
            return is_fresh(operand, known)
        case ast.IfExp(body=body, orelse=other):
            return is_fresh(body, known) and is_fresh(other, known)
        case ast.Call():
            return _is_fresh_call(value, known)
    return False


def _is_fresh_call(call: ast.Call, known: Callable[[str], bool]) -> bool:
    name = called(call)
    if name in ("requires_grad_", "to", "clone", "cpu", "cuda", "double", "float", "half"):
        inner = call.func.value if isinstance(call.func, ast.Attribute) else None
        return is_fresh(inner, known) if inner is not None else name == "float"
    if name not in _FRESH:
        return False
    into = [*call.args, *(keyword.value for keyword in call.keywords)]
    if name in _WRAPPING:
        return all(is_fresh(item, known) or dotted(item) in _WRAPPING for item in into)
    return True


def parts(statement: ast.stmt) -> Iterator[ast.AST]:
    """What the statement is made of, without the statements in its body."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        inner = (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))
        waiting.extend(inner)


def speaks_of(statement: ast.stmt, *names: str) -> bool:
    """Whether it uses an attribute, or gives an argument, that is called so; comments aside."""
    return any(
        (isinstance(part, ast.Attribute) and part.attr in names)
        or (isinstance(part, ast.keyword) and part.arg in names)
        for part in parts(statement)
    )


def receiver(node: ast.stmt) -> str | None:
    """The dotted name on which the statement calls backward, or that it hands to it."""
    for call in ast.walk(node):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr not in ("backward", "grad"):
            continue
        own = dotted(call.func.value)
        if own is not None and own.rpartition(".")[2] in (
            "autograd",
            "accelerator",
            "fabric",
        ):
            own = dotted(call.args[0]) if call.args else None
        return own
    return None
