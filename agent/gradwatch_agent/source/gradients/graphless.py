"""Whether what is written somewhere has no graph, by all that the source tells. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from gradwatch_agent.source.flow.callers import calls_as
from gradwatch_agent.source.flow.giving import callees, given
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.gradients.switching import is_off, switch_around
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import variable
from gradwatch_agent.source.stored.tensors import is_a_tensor
from gradwatch_agent.source.syntax.reading import called, dotted, speaks_of
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    function_at,
    parameters_of,
    results_of,
)

_VALUES = ("items", "values")

_CALLS = 2
"""One within the function that another one calls."""

_CLOCKS = ("time", "monotonic", "perf_counter", "process_time")


def has_none(file: str, value: ast.expr, files: Collection[str], depth: int = _CALLS) -> bool:
    """Whether it surely has none; a variable, whatever it is given; a parameter, by all calls."""
    if is_cut(value) or _is_made_without(file, value):
        return True
    match value:
        case ast.Name():
            return _is_given_none(file, value, files, depth)
        case ast.BinOp(left=left, right=right):
            sides = (has_none(file, side, files, depth) for side in (left, right))
            return _is_time(left) or all(sides)
        case ast.Subscript(value=whole):
            return isinstance(whole, ast.Call) and _is_made_without(file, whole)
        case ast.Call():
            return _hands_back_none(value, files)
    return False


def _is_given_none(file: str, name: ast.Name, files: Collection[str], depth: int) -> bool:
    """Whether the variable is given nothing that has one."""
    place = variable(file, function_at(file, name.lineno), name.id)
    given = [each for each in index(file).puts.get(place, ()) if not each.fresh]
    body = body_around(file, name.lineno)
    if isinstance(body, Function) and depth and (part := _parameter_of(body, name.id)):
        every = [(at, one) for at, one in _given(file, name.lineno, part, files) if one is not None]
        return bool(every) and all(has_none(at, one, files, depth - 1) for at, one in every)
    values = (getattr(each.node, "value", None) for each in given)
    stored = bool(index(file).puts.get(place))
    return stored and all(_is_made_without(file, value) for value in values)


def may_be_a_number(
    file: str, line: int, name: str, files: Collection[str], depth: int = _CALLS
) -> bool:
    """Whether some call gives the variable of the function around the line, a parameter of it or
    one of the values of such, what has no graph and is no detached tensor.
    """
    body = body_around(file, line)
    part = _parameter_of(body, name) if isinstance(body, Function) and depth else ""
    for at, one in _given(file, line, part, files) if part else ():
        if isinstance(one, ast.Name) and may_be_a_number(at, one.lineno, one.id, files, depth - 1):
            return True
        if one is not None and not speaks_of(one, "detach") and has_none(at, one, files):
            return True
    return False


def is_given_tensors(file: str, line: int, name: str, files: Collection[str]) -> bool:
    """Whether every call gives the parameter of the function around the line a tensor: what goes
    backward there, or comes from a function of torch's.
    """
    body = body_around(file, line)
    if not isinstance(body, Function) or name not in {each.arg for each in parameters_of(body)}:
        return False
    every = list(_given(file, line, name, files))
    return bool(every) and all(one is not None and _is_tensor(at, one) for at, one in every)


def _is_tensor(file: str, value: ast.expr | None, depth: int = _CALLS) -> bool:
    match value:
        case ast.Name():
            place = variable(file, function_at(file, value.lineno), value.id)
            given = [getattr(e.node, "value", None) for e in index(file).puts.get(place, ())]
            known = is_a_tensor(file, value.lineno, value.id, ("backward",))
            made = bool(given) and depth > 0 and all(_is_tensor(file, v, depth - 1) for v in given)
            return known or made
        case ast.BinOp(left=left, right=right):
            return _is_tensor(file, left, depth) or _is_tensor(file, right, depth)
        case ast.Call(func=ast.Attribute(value=whole, attr=name)):
            plain = name in _PLAIN or name.startswith(("is_", "get_"))
            return not plain and (dotted(whole) in _TORCH or _is_tensor(file, whole, depth))
    return False


_TORCH = ("torch", "F", "nn.functional", "torch.nn.functional", "torch.linalg")
"""By what names programs know the modules whose functions give tensors."""

_PLAIN = ("item", "tolist", "numpy", "numel", "size", "dim", "initial_seed")
"""What gives no tensor, of one or of torch's."""


def _parameter_of(body: Function, name: str) -> str:
    """The parameter that the variable is, or the dict or the options of whose values it is one."""
    options = [body.args.kwarg.arg] if body.args.kwarg is not None else []
    known = {*(each.arg for each in parameters_of(body)), *options}
    if name in known:
        return name
    for node in ast.walk(body):
        match node:
            case ast.For(
                target=target, iter=ast.Call(func=ast.Attribute(value=ast.Name(id=of))) as over
            ) if called(over) in _VALUES and of in known:
                if any(getattr(each, "id", "") == name for each in ast.walk(target)):
                    return of
    return ""


def _given(
    file: str, line: int, parameter: str, files: Collection[str]
) -> Iterator[tuple[str, ast.expr | None]]:
    """What all calls give the parameter, or its parts, where that is written out."""
    body = body_around(file, line)
    if not isinstance(body, Function):
        return
    for at, call in calls_as(file, line, files):
        if body.args.kwarg is not None and body.args.kwarg.arg == parameter:
            own = {each.arg for each in parameters_of(body)}
            yield from ((at, each.value) for each in call.keywords if each.arg not in own)
            continue
        match given(call, body).get(parameter):
            case ast.Dict(values=values):
                yield from ((at, each) for each in values)
            case value:
                yield at, value


def _is_time(value: ast.expr) -> bool:
    """Whether it is what a clock shows: so is what is reckoned from it."""
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith(_CLOCKS)


def _hands_back_none(call: ast.Call, files: Collection[str]) -> bool:
    """Whether all functions that it may be a call of hand back what has none."""
    found = callees(call, files)
    results = [(at, value) for at, each in found for _, value in results_of(each)]
    return bool(results) and all(
        is_cut(value) or _is_made_without(at, value) for at, value in results
    )


def _is_made_without(file: str, value: ast.expr | None) -> bool:
    """Whether it is computed there, and gradients are off."""
    body = body_around(file, value.lineno) if isinstance(value, ast.Call | ast.BinOp) else None
    switch = switch_around(body, value.lineno) if value is not None and body is not None else None
    return switch is not None and is_off(switch, lambda _: None) is True
