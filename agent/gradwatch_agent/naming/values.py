"""What an expression of the user's is worth now, read from live frames without running his code."""

from __future__ import annotations

import ast
import operator
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeVar

import torch

from gradwatch_agent.naming import containers
from gradwatch_agent.naming.arrays import is_array
from gradwatch_agent.naming.attributes import MISSING, attribute_of
from gradwatch_agent.naming.captured import content
from gradwatch_agent.naming.frames import Locals, live
from gradwatch_agent.naming.lookups import value_at
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.scopes import MODULE
from gradwatch_agent.source.syntax.statements import body_around

_SUMS: Final[dict[type, Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}

_ROUNDING: Final[dict[str, Callable[[int, int], int]]] = {
    "ceil": lambda over, by: -(-over // by),
    "floor": operator.floordiv,
    "int": operator.floordiv,
}
"""How a quotient becomes a whole number."""

_CHOICES: Final[dict[str, Callable[[Iterable[int]], int]]] = {"min": min, "max": max}

Number = TypeVar("Number", int, float)


class Unknown(LookupError):
    """It cannot be told."""


def number(
    expression: ast.expr, file: str, line: int, known: Mapping[str, Any] = MappingProxyType({})
) -> int | None:
    """The whole number that an expression is worth in that function, be it running or not; None:
    unknown. `known`: variables of its own.
    """

    def asked(asked: ast.expr, names: dict[str, Any]) -> int:
        return whole_number(worth(asked, {**names, **known}))

    return ask(asked, expression, file, line)


def known_in(path: Path, file: str, line: int) -> dict[str, Any]:
    """What the way tells of the function's variables: the object whose attribute it leads to, or
    into, by the name that the method there has for it; of a function's own variable, what it
    closes over.
    """
    body = body_around(file, line)
    if not path.attribute:
        return _closed_over(path.root.behind)
    whole = next(s for s in path.back() if s.parent is None or s.parent.named is not path.named)
    if whole.parent is None or not isinstance(body, ast.FunctionDef):
        return {}
    return {each.arg: value_at(whole.parent) for each in body.args.args[:1]}


def _closed_over(behind: Path | None) -> dict[str, Any]:
    function = value_at(behind) if behind is not None else None
    if type(function) is not types.FunctionType:
        return {}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
    return {name: content(cell) for name, cell in cells}


def ask(
    question: Callable[[ast.expr, dict[str, Any]], Number], asked: ast.expr, file: str, line: int
) -> Number | None:
    """What a question about an expression of that function comes to, given what its names stand
    for, be it running or not; None where the question raises that it cannot be told.
    """
    frame = _frame(file, line)
    local = Locals()
    try:
        if frame is not None:
            return question(asked, {**frame.f_globals, **local.of(frame)})
        return question(asked, next((names for at, names in own_modules() if at == file), {}))
    except (LookupError, ValueError, ArithmeticError, RecursionError):
        return None
    finally:
        local.clear()


def _frame(file: str, line: int) -> types.FrameType | None:
    """The innermost frame of this thread that runs that function, or any of another's; of the
    module, any of its.
    """

    def runs(frame: types.FrameType) -> bool:
        code = frame.f_code
        return code.co_filename == file and line in (MODULE, code.co_firstlineno)

    frame: types.FrameType | None = sys._getframe()  # noqa: SLF001  never to stay: a cycle
    while frame is not None and not runs(frame):
        frame = frame.f_back
    return frame or next(filter(runs, live(None)), None)


def worth(expression: ast.expr, names: dict[str, Any]) -> Any:
    """What it is worth. Raises `Unknown`, or what its arithmetic does."""
    match expression:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Attribute(value=owner, attr=name):
            found = attribute_of(worth(owner, names), name)
            if found is not MISSING:
                return found
        case (
            ast.Subscript(value=ast.Attribute(value=whole, attr="shape"), slice=ast.Constant(0))
            | ast.Call(func=ast.Attribute(value=whole, attr="size"), args=[ast.Constant(0)])
        ):
            return size_of_value(worth(whole, names))
        case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
            container = worth(owner, names)
            if type(container) is dict and key in container:
                return container[key]
        case ast.Call(func=ast.Name(id="len"), args=[whole]):
            return size_of_value(worth(whole, names))
        case ast.Call(func=ast.Name(id="min" | "max" as which), args=[_, _, *_] as several):
            return _CHOICES[which](whole_number(worth(each, names)) for each in several)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -whole_number(worth(operand, names))
        case ast.Call(args=[ast.BinOp(left=left, op=ast.Div(), right=right)]) as call if (
            name := called(call)
        ) in _ROUNDING:
            return _ROUNDING[name](*(whole_number(worth(side, names)) for side in (left, right)))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SUMS:
            sides = whole_number(worth(left, names)), whole_number(worth(right, names))
            return _SUMS[type(op)](*sides)
    raise Unknown


def whole_number(value: Any) -> int:
    """The value, if it is one. Raises `Unknown`."""
    if type(value) is not int:
        raise Unknown
    return value


def size_of_value(value: Any) -> int:
    """How many elements or rows it has. Raises `Unknown`."""
    if (type(value) is torch.Tensor or is_array(type(value))) and value.shape:
        return whole_number(value.shape[0])
    if not issubclass(type(value), containers.CONTAINERS):
        raise Unknown
    return containers.size_of(value)
