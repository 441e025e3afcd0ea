"""What a variable or attribute is given, and whether that contains tensors or is one. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final

from gradwatch_agent.source.flow.bindings import bindings
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.stored.stores import attribute, stores
from gradwatch_agent.source.syntax.reading import base, called
from gradwatch_agent.source.syntax.statements import body_around, results_of

_DISPLAYS: Final = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.DictComp)
_MAKING: Final = frozenset(("list", "dict", "tuple", "OrderedDict", "defaultdict", "deque"))
_CALLS: Final = 3
"""From one function to the next that made it."""


def given_to(target: ast.expr, file: str) -> list[ast.expr]:
    """All that the variable or attribute is given in its function, or anywhere in the file."""
    if isinstance(target, ast.Attribute):
        values = (getattr(s.node, "value", None) for s in stores([attribute(target.attr)], [file]))
        return [each for each in values if isinstance(each, ast.expr)]
    body = body_around(file, target.lineno)
    name = target.id if isinstance(target, ast.Name) else ""
    every = bindings(body, name, None)[0] if body is not None else []
    return [each.whole for each in every if each.whole is not None]


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
    values = given_to(node, file)
    return bool(values) and all(_is_one(value, file, files, calls) for value in values)


def _is_one(value: ast.expr, file: str, files: Collection[str], calls: int) -> bool:
    if isinstance(value, _DISPLAYS):
        return True
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
