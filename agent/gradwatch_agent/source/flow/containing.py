"""What a variable or attribute is given, and whether that contains tensors or is one. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Final

from gradwatch_agent.source.flow.bindings import bindings
from gradwatch_agent.source.flow.callers import callers, made_by
from gradwatch_agent.source.flow.giving import callees, given
from gradwatch_agent.source.stored.stores import attribute, stores
from gradwatch_agent.source.syntax.reading import base, called
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    is_within,
    results_of,
)
from gradwatch_agent.source.syntax.text import nodes

_DISPLAYS: Final = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.DictComp)
_MAKING: Final = frozenset(("list", "dict", "tuple", "OrderedDict", "defaultdict", "deque"))
_CALLS: Final = 3
"""From one function to the next that made it."""


def given_to(target: ast.expr, file: str) -> list[ast.expr]:
    """All that the variable or attribute is given in its function, or anywhere in the file; not
    what its elements are.
    """
    if isinstance(target, ast.Attribute):
        whole = (s for s in stores([attribute(target.attr)], [file]) if "[" not in s.target)
        values = (getattr(s.node, "value", None) for s in whole)
        return [each for each in values if isinstance(each, ast.expr)]
    body = body_around(file, target.lineno)
    name = target.id if isinstance(target, ast.Name) else ""
    every = bindings(body, name, None)[0] if body is not None else []
    plain = (each for each in every if not isinstance(each.node, ast.For | ast.AsyncFor))
    return [each.whole for each in plain if each.whole is not None]


def handed_to(
    target: ast.expr, file: str, files: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """What callers give the parameter, each with its file."""
    body = body_around(file, target.lineno)
    if not isinstance(target, ast.Name) or not isinstance(body, Function):
        return
    line = body.lineno
    for at, call in callers(file, line, files, also=made_by(file, line, files)):
        if (value := given(call, body).get(target.id)) is not None:
            yield at, value


def _is_wrapped(node: ast.Attribute, file: str) -> bool:
    """Whether it is what an object of a class that inherits from UserDict, or UserList, wraps."""
    around = [n for n in nodes(file) if isinstance(n, ast.ClassDef) and is_within(n, node.lineno)]
    return any(getattr(b, "id", "") in ("UserDict", "UserList") for n in around for b in n.bases)


def tensor_in(target: ast.expr, file: str, files: Collection[str]) -> ast.expr:
    """The tensor of which the target is a part: `outs[0]` of `outs[0][:, 1]` if `outs` is a list,
    else `outs`.
    """
    steps = [target]
    while isinstance(steps[-1], ast.Subscript):
        steps.append(steps[-1].value)
    *_, whole = steps
    if whole is not base(target):
        return base(target)
    while len(steps) > 1 and (_is_key(steps[-2]) or contains(steps[-1], file, files)):
        whole = steps[-2]
        del steps[-1]
    return whole


def _is_key(element: ast.expr) -> bool:
    """No tensor has a string for an index."""
    return isinstance(element, ast.Subscript) and (
        isinstance(element.slice, ast.JoinedStr)
        or (isinstance(element.slice, ast.Constant) and isinstance(element.slice.value, str))
    )


def contains(node: ast.expr, file: str, files: Collection[str], calls: int = _CALLS) -> bool:
    """Whether it is a list or a dict, by what it is given."""
    if isinstance(node, ast.Attribute) and node.attr == "data" and _is_wrapped(node, file):
        return True
    values = given_to(node, file)
    if not values and calls > 0:  # what some callers give is not known
        handed = handed_to(node, file, files)
        return any(_is_one(value, at, files, calls - 1) for at, value in handed)
    return bool(values) and all(_is_one(value, file, files, calls) for value in values)


def _is_one(value: ast.expr, file: str, files: Collection[str], calls: int) -> bool:
    if isinstance(value, _DISPLAYS):
        return True
    if isinstance(value, ast.BinOp):  # `[None] * slots`
        return isinstance(value.left, _DISPLAYS) or isinstance(value.right, _DISPLAYS)
    if isinstance(value, ast.Name | ast.Attribute):
        return calls > 0 and contains(value, file, files, calls - 1)
    if not isinstance(value, ast.Call) or calls <= 0:
        return False
    results = [
        _is_one(result, where, files, calls - 1)
        for where, function in callees(value, files)
        for _, result in results_of(function)
    ]
    return called(value) in _MAKING or (bool(results) and all(results))
