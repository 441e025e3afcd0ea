"""What an expression of the user's is worth now, read from live frames without running his code."""

from __future__ import annotations

import ast
import math
import operator
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, Final, TypeVar

import torch

from gradwatch_agent.naming import containers, inside
from gradwatch_agent.naming.arrays import is_array
from gradwatch_agent.naming.attributes import MISSING, attribute_of
from gradwatch_agent.naming.frames import Locals, live
from gradwatch_agent.naming.loaders import Size, batches_of, is_loader, items_of, length_told
from gradwatch_agent.naming.lookups import value_at
from gradwatch_agent.naming.modules import own_files, own_modules
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.source.flow.yielding import given_to, yields_for
from gradwatch_agent.source.syntax.scopes import MODULE
from gradwatch_agent.source.syntax.statements import body_around

_SUMS: Final[dict[type, Callable[[int, int], int]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


_OF_TENSORS: Final = frozenset(("chunk", "tensor_split", "split", "randperm", "arange"))
"""What gives so many tensors, or one of so many rows, as its arguments tell."""

_CHOICES: Final[dict[str, Callable[[Iterable[int]], int]]] = {"min": min, "max": max}

Number = TypeVar("Number", int, float)


class Unknown(LookupError):
    """It cannot be told."""


def length(iterable: ast.expr, file: str, line: int, *, loaders: bool = False) -> float:
    """How many times a loop over that runs in the function which begins on the line; 0: unknown.
    `loaders`: a loader's batches are known, too.
    """
    size = _size_or_batches if loaders else _size
    return _asked(partial(_length, size=size), iterable, file, line) or 0


def number(
    expression: ast.expr, file: str, line: int, known: Mapping[str, Any] = MappingProxyType({})
) -> int | None:
    """The whole number that an expression is worth in that function, be it running or not; None:
    unknown. `known`: variables of its own.
    """

    def worth(asked: ast.expr, names: dict[str, Any]) -> int:
        return _number(_worth(asked, {**names, **known}))

    return _asked(worth, expression, file, line)


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
    return {name: inside.content(cell) for name, cell in cells}


def _asked(
    question: Callable[[ast.expr, dict[str, Any]], Number], asked: ast.expr, file: str, line: int
) -> Number | None:
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


def _length(iterable: ast.expr, names: dict[str, Any], size: Size) -> float:
    match iterable:
        case ast.Call():
            return _length_of_call(iterable, names, size)
        case ast.Subscript(value=whole, slice=ast.Slice() as part):
            ends = (
                None if end is None else _number(_worth(end, names))
                for end in (part.lower, part.upper, part.step)
            )
            return len(range(_number(_length(whole, names, size)))[slice(*ends)])
        case ast.Tuple(elts=several) | ast.List(elts=several):
            return 0 if any(isinstance(one, ast.Starred) for one in several) else len(several)
    return size(_worth(iterable, names))


def _length_of_call(call: ast.Call, names: dict[str, Any], size: Size) -> float:
    match call:
        case ast.Call(func=ast.Name(id="range"), args=bounds):
            return len(range(*(_number(_worth(bound, names)) for bound in bounds)))
        case ast.Call(func=ast.Name(id="count") | ast.Attribute(attr="count")):
            return math.inf
        case ast.Call(func=ast.Name(id="zip"), args=several):
            return min((_length(each, names, size) for each in several), default=0)
        case ast.Call(
            func=ast.Name(id="islice") | ast.Attribute(attr="islice"), args=[inner, bound]
        ):
            return min(_number(_worth(bound, names)), _length(inner, names, size))
        case ast.Call(func=ast.Attribute(attr=method)) if method in _OF_TENSORS:
            return _length_of_tensors(call, names, size)
        case ast.Call(func=ast.Attribute(attr="items" | "keys" | "values", value=whole), args=[]):
            return _length(whole, names, size)
        case ast.Call() if (own := yields_for(call, own_files())) is not None:
            given = {each: _worth(value, names) for each, value in given_to(call, *own)}
            return math.prod(_length(over, {**names, **given}, size) for over in own[1])
        case ast.Call(args=[inner, *_]):  # a progress bar, or enumerate
            return _length(inner, names, size)
    return size(_worth(call, names))


def _length_of_tensors(call: ast.Call, names: dict[str, Any], size: Size) -> float:
    match call:
        case (
            ast.Call(
                func=ast.Attribute(value=ast.Name(id="torch"), attr="chunk" | "tensor_split"),
                args=[_, pieces, *_],
            )
            | ast.Call(func=ast.Attribute(attr="chunk" | "tensor_split"), args=[pieces, *_])
        ):
            return _number(_worth(pieces, names))
        case ast.Call(func=ast.Attribute(value=rows, attr="split"), args=[each, *_]):
            return math.ceil(_length(rows, names, size) / _number(_worth(each, names)))
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="torch"), attr="randperm" | "arange"), args=[end]
        ):
            return _number(_worth(end, names))
    raise Unknown


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


def _worth(expression: ast.expr, names: dict[str, Any]) -> Any:
    match expression:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Attribute(value=owner, attr=name):
            found = attribute_of(_worth(owner, names), name)
            if found is not MISSING:
                return found
        case ast.Subscript(value=owner, slice=ast.Constant(value=key)):
            container = _worth(owner, names)
            if type(container) is dict and key in container:
                return container[key]
        case ast.Call(func=ast.Name(id="len"), args=[container]):
            return _size(_worth(container, names))
        case ast.Call(func=ast.Name(id="min" | "max" as which), args=[_, _, *_] as several):
            return _CHOICES[which](_number(_worth(each, names)) for each in several)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SUMS:
            sides = _number(_worth(left, names)), _number(_worth(right, names))
            return _SUMS[type(op)](*sides)
    raise Unknown


def _number(value: Any) -> int:
    if type(value) is not int:
        raise Unknown
    return value


def _size(value: Any) -> int:
    if (type(value) is torch.Tensor or is_array(type(value))) and value.shape:
        return _number(value.shape[0])
    if not issubclass(type(value), containers.CONTAINERS):
        raise Unknown
    return containers.size_of(value)


def _size_or_batches(value: Any) -> int:
    return batches_of(value, _items) if is_loader(value) else _size(value)


def _items(source: Any) -> int:
    """How many a dataset or a sampler has."""
    if type(source) is range:
        return len(source)
    if (told := length_told(source, own_files())) is not None:
        return _number(_worth(*told))
    try:
        return _size(source)
    except Unknown:
        return items_of(source, _items)
