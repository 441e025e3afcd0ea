"""Whether a name must stand for a tensor, by what a file asks of it. Pure but for reading."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.syntax.reading import base, called, dotted, last_name, reads
from gradwatch_agent.source.syntax.statements import body_around, functions_of, parameters_of
from gradwatch_agent.source.syntax.targets import drawing
from gradwatch_agent.source.syntax.text import mentions, nodes

_TENSORS: Final = frozenset(
    (
        *("item", "mean", "detach", "cpu", "numpy", "backward", "tolist", "max", "min", "sqrt"),
        *("div", "clamp", "clamp_min", "clamp_max", "exp", "log", "abs", "pow", "square", "sum"),
        *("std", "clone", "view", "reshape", "squeeze", "unsqueeze", "expand", "expand_as", "to"),
        *("float", "device", "dtype", "shape", "sigmoid", "tanh", "relu", "mul", "rsqrt"),
        *("reciprocal", "isnan", "isfinite", "requires_grad_"),
    )
)
"""What a number lacks."""

_MOST_NAMES: Final = 64

_MAKERS: Final = frozenset(
    (
        *("stack", "cat", "all_reduce", "reduce", "gather", "isnan", "isfinite"),
        *("sqrt", "exp", "log", "clamp", "abs", "tanh", "sigmoid"),
    )
)
"""Functions of torch that take no number."""


def uses_of_tensor(file: str, name: str) -> bool:
    """Whether the file asks something that only a tensor can answer of the name, or of what is
    worked out from it: `avg = total / count`, `(total / count).item()`.
    """
    if not mentions(file, name):
        return False
    names, giving = _called_so(file, name), _giving(file, name)
    for node in nodes(file):
        if isinstance(node, ast.Assign) and (
            name in _worked_out(node.value)
            or (isinstance(node.value, ast.Call) and called(node.value) in giving)
        ):
            names |= {last for target in node.targets for last in _worked_out(target)}
    for node in nodes(file):
        asked: list[str] = []
        if isinstance(node, ast.Attribute) and node.attr in _TENSORS:
            asked = _worked_out(node.value)
        elif isinstance(node, ast.Call) and called(node) in _MAKERS and not _is_math(node):
            asked = [read for argument in node.args for read in reads(argument)]
        if any(read.rpartition(".")[2] in names for read in asked):
            return True
    return False


def _called_so(file: str, name: str) -> set[str]:
    """By what names the file knows it, or what lies there."""
    found, waiting, others = {name}, [name], _other_names(file)
    for each in waiting:
        known = others.get(each, frozenset()) - found
        found |= known
        waiting += known
        if len(found) > _MOST_NAMES:
            break
    return found


@lru_cache(maxsize=256)
def _other_names(file: str) -> dict[str, frozenset[str]]:
    """Of each name the variables of loops that go through what lies there, `scale` of
    `scales.items()`, and the parameters that it is given for.
    """
    found: defaultdict[str, set[str]] = defaultdict(set)
    taken = {
        function.name: [a.arg for a in parameters_of(function) if a.arg not in ("self", "cls")]
        for function in functions_of(file)
    }
    for node in nodes(file):
        if isinstance(node, ast.For | ast.comprehension):
            for part in ast.walk(node.iter):
                if name := last_name(part):
                    target = drawing(node.target, node.iter, part)
                    found[name] |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
        elif isinstance(node, ast.Call) and (names := taken.get(called(node))):
            given = [*zip(names, node.args, strict=False)]
            given += [(word.arg, word.value) for word in node.keywords if word.arg in names]
            for parameter, value in given:
                if name := last_name(value):
                    found[name].add(parameter)
    return {name: frozenset(others) for name, others in found.items()}


def is_a_tensor(file: str, line: int, name: str, asked: Collection[str] = _TENSORS) -> bool:
    """Whether the function around the line asks the variable something that only a tensor can
    answer.
    """
    body = body_around(file, line)
    return body is not None and any(
        isinstance(node, ast.Attribute)
        and node.attr in asked
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        for node in ast.walk(body)
    )


def is_asked_what(file: str, line: int, name: str) -> bool:
    """Whether the function around the line asks what the variable is: `isinstance(x, Tensor)`."""
    body = body_around(file, line)
    return body is not None and any(
        isinstance(node, ast.Call)
        and called(node) in _ASKING
        and dotted(node.args[0] if node.args else node) == name
        for node in ast.walk(body)
    )


_ASKING: Final = ("isinstance", "hasattr", "is_tensor", "getattr", "callable", "type")


def _giving(file: str, name: str) -> set[str]:
    """The functions of the file that hand it back."""
    return {
        function.name
        for function in functions_of(file)
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value is not None
        if name in _worked_out(node.value)
    }


def _is_math(call: ast.Call) -> bool:
    """Whether it is a function of Python's own, or numpy's, which takes numbers as well."""
    if isinstance(call.func, ast.Attribute):
        return dotted(call.func.value) in ("math", "np")
    return called(call) == "abs"


def _worked_out(value: ast.expr) -> list[str]:
    """The last names of what an expression is worked out from, by arithmetic alone."""
    match value:
        case ast.BinOp(left=left, right=right):
            return [*_worked_out(left), *_worked_out(right)]
        case ast.UnaryOp(operand=inner):
            return _worked_out(inner)
    name = last_name(base(value))
    return [name] if name else []
