"""Which expressions leave a tensor without its graph. Pure."""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.source.syntax.reading import called, dotted

_METHODS: Final = frozenset(
    (
        *("detach", "detach_", "item", "numpy", "tolist", "argmax", "argmin", "argsort"),
        *("long", "int", "bool", "byte", "short", "char", "nonzero", "eq", "ne", "gt", "lt"),
        *("ge", "le", "isnan", "isfinite", "logical_not", "logical_and", "logical_or", "sample"),
        *("bucketize", "searchsorted", "one_hot", "multinomial", "any", "all", "state_dict"),
    )
)
"""Methods whose result, and functions whose result of a tensor, has no graph."""

_COPYING: Final = frozenset(
    (
        *("tensor", "from_numpy", "new_tensor", "Tensor", "FloatTensor", "DoubleTensor"),
        *("float", "int", "bool", "array"),
    )
)
"""Functions that make a new number or tensor of values alone."""

_INDICES: Final = frozenset(("max", "min", "topk", "sort", "median", "mode", "kthvalue", "cummax"))
"""Calls that give values and, in second place, indices."""

_INTEGERS: Final = frozenset(
    ("long", "int", "bool", "uint8", "int8", "int16", "int32", "int64", "LongTensor", "IntTensor")
)

FACTORIES: Final = frozenset(
    (
        *("zeros", "ones", "empty", "full", "rand", "randn", "randint", "arange", "linspace"),
        *("zeros_like", "ones_like", "empty_like", "full_like", "rand_like", "randn_like"),
        *("eye", "randperm", "new_zeros", "new_ones", "new_full", "new_empty", "normal"),
        *("range", "logspace", "tril_indices", "triu_indices"),
    )
)
"""Functions whose result is made of no other tensor's values."""


def asks_values(around: ast.AST | None) -> bool:
    """Whether it asks what it is around of for its values alone: `row.value.detach`."""
    return isinstance(around, ast.Attribute) and around.attr in {*_METHODS, "data"}


def severed(value: ast.expr, part: tuple[object, ...] = ()) -> list[ast.expr] | None:
    """What the expression, or that part of its value, leaves behind: the tensors of whose graph it
    keeps nothing. None if it is no expression that does so.
    """
    match value:
        case ast.Attribute(value=inner, attr="data" | "grad"):
            return [inner]
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return [inner]
        case ast.Call() if part[:1] in ((1,), ("indices",)) and _gives_indices(value):
            return _operands(value)
        case ast.Call():
            return _operands(value) if _severs(value) else None
    return None


def _gives_indices(call: ast.Call) -> bool:
    """Whether it does so in second place: not `torch.max(a, b)`, which is a tensor."""
    method = isinstance(call.func, ast.Attribute) and dotted(call.func.value) != "torch"
    further = call.args if method else call.args[1:]
    return called(call) in _INDICES and all(_is_number(each) for each in further)


def _is_number(value: ast.expr) -> bool:
    return isinstance(value.operand if isinstance(value, ast.UnaryOp) else value, ast.Constant)


def copies(value: ast.expr) -> bool:
    """Whether it makes a tensor or number of others' values: `torch.tensor(total / count)`."""
    return isinstance(value, ast.Call) and (called(value) in _COPYING or _is_of_numbers(value))


def _is_of_numbers(call: ast.Call) -> bool:
    """Whether it is a function of a library that knows no tensors."""
    owner = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else None
    return owner in ("np", "numpy", "math", "statistics")


def _severs(call: ast.Call) -> bool:
    name = called(call)
    if _is_of_numbers(call):
        return True
    if isinstance(call.func, ast.Attribute) and dotted(call.func.value) == "random":
        return False  # what it draws is handed on
    if name == "grad" and _is_of_autograd(call):
        return not graph_is_made(call)
    if name in ("to", "type", "type_as"):
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        return any((dotted(each) or "").rpartition(".")[2] in _INTEGERS for each in given)
    if name == "requires_grad_":
        return any(is_false(each) for each in [*call.args, *(k.value for k in call.keywords)])
    wants = (keyword.value for keyword in call.keywords if keyword.arg == "requires_grad")
    if not all(map(is_false, wants)):
        return False  # a new leaf: what is made of it has a graph
    if isinstance(call.func, ast.Name):
        return name in _COPYING
    return name in _METHODS or (name in _COPYING and name not in ("float", "double"))


def _is_of_autograd(call: ast.Call) -> bool:
    owner = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return owner in ("", "autograd", "torch.autograd") and len(call.args) + len(call.keywords) > 1


def graph_is_made(call: ast.Call) -> bool:
    """Whether gradients that are asked for have graphs of their own, or may have."""
    flags = [k.value for k in call.keywords if k.arg in ("create_graph", None)]
    return bool(flags) and not any(map(is_false, flags))


def _operands(call: ast.Call) -> list[ast.expr]:
    own = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    return [*own, *call.args, *(keyword.value for keyword in call.keywords)]


def is_false(value: ast.expr) -> bool:
    """Whether it is written so."""
    return isinstance(value, ast.Constant) and value.value in (False, 0)


def wants_gradient(value: ast.expr) -> bool:
    """Whether what it gave was made to require a gradient: then it is what came after."""
    calls = [part for part in ast.walk(value) if isinstance(part, ast.Call)]
    flags = [k.value for call in calls for k in call.keywords if k.arg == "requires_grad"]
    leaves = any(called(call) in ("requires_grad_", "Parameter") for call in calls)
    cut = any(severed(part) is not None for part in calls)
    return (leaves or bool(flags)) and not cut and not any(map(is_false, flags))
