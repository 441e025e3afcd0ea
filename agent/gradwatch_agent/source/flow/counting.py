"""Whether a statement stores under a count that goes on: a key that is new for a long time.

Owns what counts: the variable of a long loop, and a number that is only ever added to. Pure but
for reading; what a loop's length is worth comes in by argument.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import mentioning, passed_to, variable
from gradwatch_agent.source.syntax.places import Place, Store, attribute
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import function_at

Length: TypeAlias = Callable[[ast.expr, str, int], float]
"""How many elements the iterable of a loop has that stands in the function which begins on a line
of a file; 0 where that is not known."""

_HOPS: Final = 3
"""Calls by which a count is handed on."""

_TEXT: Final = ("str", "repr", "format")


def counts(store: Store, files: Iterable[str], length: Length) -> float:
    """How many keys a store comes to use, one after the other; 0 where that is not known."""
    every = list(files)
    return max((_count(place, every, length, _HOPS) for place in _places(store)), default=0)


def _places(store: Store) -> list[Place]:
    """Of what the key is made: of a cache, the arguments of its function."""
    function = function_at(store.file, store.line)
    if store.how == "return":
        scope = index(store.file).scopes.get(function)
        return [Place(store.file, function, name) for name in scope.parameters] if scope else []
    keys = _keys(store.node)
    return [_place(part, store.file, function) for key in keys for part in _parts(key)]


def _place(part: ast.expr, file: str, function: int) -> Place:
    if isinstance(part, ast.Attribute):
        return attribute(part.attr)
    return variable(file, function, part.id if isinstance(part, ast.Name) else "")


def _keys(node: ast.stmt) -> Iterator[ast.expr]:
    """What the statement stores under."""
    for part in ast.walk(node):
        match part:
            case ast.Subscript(slice=key, ctx=ast.Store()):
                yield key
            case ast.Call(func=ast.Name(id="setattr"), args=[_, key, _]):
                yield key
            case ast.Call(func=ast.Attribute(attr="setdefault" | "__setitem__"), args=[key, *_]):
                yield key
            case ast.Call(func=ast.Attribute(value=ast.Subscript(slice=key))):
                yield key
            case ast.Call(func=ast.Attribute(attr="update"), args=[ast.Dict(keys=keys)]):
                yield from (key for key in keys if key is not None)


def _parts(key: ast.expr) -> Iterator[ast.expr]:
    """The variables and attributes in a key of which each value makes another key."""
    match key:
        case ast.Name() | ast.Attribute():
            yield key
        case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from _parts(part)
        case ast.FormattedValue(value=inner):
            yield from _parts(inner)
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
            yield from _parts(right)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _parts(left)
            yield from _parts(right)
        case ast.Call(args=parts) if called(key) in _TEXT:
            for part in parts:
                yield from _parts(part)


def _count(place: Place, files: list[str], length: Length, hops: int) -> float:
    """How many values it takes, one after the other; 0 where that is not known."""
    found = [s for file in mentioning(place, files) for s in index(file).puts.get(place, ())]
    if not found:
        givers = passed_to(place, files) if hops else ()
        return max((_count(giver, files, length, hops - 1) for giver in givers), default=0)
    loops = [store.node for store in found if isinstance(store.node, ast.For)]
    if len(loops) == len(found):
        return max(_length(loop, place, length) for loop in loops)
    return math.inf if not loops and _only_goes_up(found, of_object=not place.file) else 0


def _only_goes_up(found: list[Store], *, of_object: bool) -> bool:
    """Whether it is set once, and from then on only added to."""
    added = [store for store in found if adds_one(store.node)]
    begins = [store for store in found if not adds_one(store.node)]
    return bool(added) and all(
        store.how == "assign"
        and not store.in_loop
        and isinstance(getattr(store.node, "value", None), ast.Constant)
        and (not of_object or store.constructs or not store.function)
        for store in begins
    )


def adds_one(node: ast.stmt) -> bool:
    """Whether it is `count += 1`, or adds another constant."""
    match node:
        case ast.AugAssign(op=ast.Add(), value=ast.Constant(value=int())):
            return True
    return False


def _length(loop: ast.For, place: Place, length: Length) -> float:
    iterable = loop.iter
    if isinstance(loop.target, ast.Tuple):
        first = loop.target.elts[0] if loop.target.elts else None
        if not (isinstance(first, ast.Name) and first.id == place.name):
            return 0
        if not (isinstance(iterable, ast.Call) and called(iterable) == "enumerate"):
            return 0
        iterable = iterable.args[0] if iterable.args else iterable
    return length(iterable, place.file, place.scope)
