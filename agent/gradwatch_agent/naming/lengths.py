"""How often a loop of the user's comes round, read from live frames; none of his code runs."""

from __future__ import annotations

import ast
import math
from functools import partial
from typing import Any, Final

from gradwatch_agent.naming.loaders import Size, batches_of, is_loader, items_of, length_told
from gradwatch_agent.naming.modules import own_files
from gradwatch_agent.naming.values import Unknown, ask, size_of_value, whole_number, worth
from gradwatch_agent.source.flow.yielding import given_to, yields_for
from gradwatch_agent.source.syntax.reading import called

_OF_TENSORS: Final = frozenset(("chunk", "tensor_split", "split", "randint"))
"""What gives so many tensors, or one of so many rows, as its arguments tell."""

_NUMBERED: Final = frozenset(("randperm", "permutation", "arange"))
"""What gives the numbers up to one, in whatever order; or what it is given, in another."""

_DRAWN: Final = frozenset(("sample", "choices", "choice"))
"""What gives so many of what it is given."""

_AS_LONG: Final = frozenset(
    ("items", "keys", "values", "tolist", "unbind", "numpy", "cpu", "clone", "copy", "long")
)
"""Methods that give as many as there are."""


def length(iterable: ast.expr, file: str, line: int, *, loaders: bool = False) -> float:
    """How many times a loop over that runs in the function which begins on the line; 0: unknown.
    `loaders`: a loader's batches are known, too.
    """
    size = _size_or_batches if loaders else size_of_value
    return ask(partial(_length, size=size), iterable, file, line) or 0


def _length(iterable: ast.expr, names: dict[str, Any], size: Size) -> float:
    match iterable:
        case ast.Call():
            return _length_of_call(iterable, names, size)
        case ast.Subscript(value=whole, slice=ast.Slice() as part):
            ends = (
                None if end is None else whole_number(worth(end, names))
                for end in (part.lower, part.upper, part.step)
            )
            return len(range(whole_number(_length(whole, names, size)))[slice(*ends)])
        case ast.Tuple(elts=several) | ast.List(elts=several):
            return 0 if any(isinstance(one, ast.Starred) for one in several) else len(several)
    return size(worth(iterable, names))


def _length_of_call(call: ast.Call, names: dict[str, Any], size: Size) -> float:
    match call:
        case ast.Call(func=ast.Name(id="range"), args=bounds):
            return len(range(*(whole_number(worth(bound, names)) for bound in bounds)))
        case ast.Call() if called(call) in ("count", "cycle"):
            return math.inf
        case ast.Call(args=several, keywords=[]) if called(call) == "product":
            return math.prod(_length(each, names, size) for each in several)
        case ast.Call(args=several) if called(call) == "chain":
            return sum(_length(each, names, size) for each in several)
        case ast.Call(func=ast.Name(id="zip"), args=several):
            return min((_length(each, names, size) for each in several), default=0)
        case ast.Call(
            func=ast.Name(id="islice") | ast.Attribute(attr="islice"), args=[inner, bound]
        ):
            return min(whole_number(worth(bound, names)), _length(inner, names, size))
        case ast.Call(func=ast.Attribute(attr=method)) if method in _OF_TENSORS:
            return _length_of_tensors(call, names, size)
        case ast.Call(func=ast.Attribute(attr=method, value=whole), args=[]) if method in _AS_LONG:
            return _length(whole, names, size)
        case ast.Call(func=ast.Attribute(attr=method), args=[of, *_]) if method in _NUMBERED:
            known = worth(of, names)
            return known if type(known) is int else size(known)
        case ast.Call(func=ast.Attribute(attr=method)) if method in _DRAWN:
            return whole_number(worth(_many(call), names))
        case ast.Call() if (own := yields_for(call, own_files())) is not None:
            given = {each: worth(value, names) for each, value in given_to(call, *own)}
            return math.prod(_length(over, {**names, **given}, size) for over in own[1])
        case ast.Call(args=[inner, *_]):  # a progress bar, or enumerate
            return _length(inner, names, size)
    return size(worth(call, names))


def _length_of_tensors(call: ast.Call, names: dict[str, Any], size: Size) -> float:
    match call:
        case ast.Call(func=ast.Attribute(attr="randint")):
            match _many(call, last=True):
                case ast.Tuple(elts=[rows, *_]):
                    return whole_number(worth(rows, names))
        case (
            ast.Call(
                func=ast.Attribute(value=ast.Name(id="torch"), attr="chunk" | "tensor_split"),
                args=[_, pieces, *_],
            )
            | ast.Call(func=ast.Attribute(attr="chunk" | "tensor_split"), args=[pieces, *_])
        ):
            return whole_number(worth(pieces, names))
        case ast.Call(func=ast.Attribute(value=rows, attr="split"), args=[each, *_]):
            return math.ceil(_length(rows, names, size) / whole_number(worth(each, names)))
    raise Unknown


def _many(call: ast.Call, *, last: bool = False) -> ast.expr:
    """The argument that tells how many: by name, or the second one, or the last."""
    named = [each.value for each in call.keywords if each.arg in ("k", "size")]
    placed = call.args[-1:] if last else call.args[1:2]
    return next(iter((*named, *placed)), ast.Constant(None))


def _size_or_batches(value: Any) -> int:
    return batches_of(value, _items) if is_loader(value) else size_of_value(value)


def _items(source: Any) -> int:
    """How many a dataset or a sampler has."""
    if type(source) is range:
        return len(source)
    if (told := length_told(source, own_files())) is not None:
        return whole_number(worth(*told))
    try:
        return size_of_value(source)
    except Unknown:
        return items_of(source, _items)
