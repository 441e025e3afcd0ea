"""Whether a method is asked of a tensor, or is Python's own function: what a program's own class
calls `mean` or `sum` is another thing. Pure but for reading.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection
from typing import Final

from gradwatch_agent.source.flow.containing import given_to
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import classes_named, results_of

_OF_TENSORS: Final = frozenset(
    (
        "mean", "sum", "max", "min", "std", "var", "norm", "median", "abs", "neg", "exp", "log",
        "sqrt", "square", "pow", "add", "sub", "mul", "div", "dot", "clamp", "clip", "round",
        "softmax", "sigmoid", "tanh", "relu", "view", "reshape", "flatten", "squeeze", "size",
        "dim", "numel", "item", "clone", "to", "cpu", "cuda", "float", "double", "half", "long",
        "numpy", "tolist", "backward",
    )
)  # fmt: skip
"""Methods of tensors that classes of programs have, too."""

_CALLS: Final = 3
"""From one function to the next that computes it."""


def is_of_others(call: ast.Call, file: str, files: Collection[str]) -> bool:
    """`sum(rows)`, `(x - y).abs().mean()`, or the same of a variable that is given nothing but
    such: no call of a method that the program has by that name.
    """
    if isinstance(call.func, ast.Name):
        return hasattr(builtins, call.func.id)
    return _is_of_a_tensor(call, file, files, _CALLS)


def _is_of_a_tensor(call: ast.Call, file: str, files: Collection[str], calls: int) -> bool:
    match call.func:
        case ast.Attribute(value=whose, attr=name) if name in _OF_TENSORS:
            return _is_computed(whose, file, files, calls)
    return False


def _is_computed(value: ast.expr, file: str, files: Collection[str], calls: int) -> bool:
    if calls < 0:
        return False
    match value:
        case ast.BinOp() | ast.UnaryOp() | ast.Compare():
            return True
        case ast.Subscript(value=whole):
            return _is_computed(whole, file, files, calls)
        case ast.Name():
            given = given_to(value, file)
            return bool(given) and all(_is_computed(v, file, files, calls - 1) for v in given)
        case ast.Call() if _is_of_a_tensor(value, file, files, calls):
            return True
        case ast.Call() if not any(classes_named(called(value), files)):
            results = (
                (at, each) for at, one in callees(value, files) for _, each in results_of(one)
            )
            return all(_is_computed(each, at, files, calls - 1) for at, each in results)
    return False
