"""What an expression may stand for where that is not certain: one of a table, what is picked.

Reads without running any of the program's code.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Collection, Iterator
from typing import Any, Final

from gradwatch_agent.diagnosis.graphless.modules import children_of, is_module
from gradwatch_agent.diagnosis.graphless.origins import bound
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot, arguments
from gradwatch_agent.naming.attributes import MISSING, attribute_of
from gradwatch_agent.naming.containers import CONTAINERS, elements
from gradwatch_agent.source.flow.bindings import Binding
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.gradients.switching import chosen_of
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    results_of,
)

_DEPTH: Final = 6
"""Steps from one expression to the next."""

_MOST: Final = 3
"""Functions of one name, of which it is not known which is called."""

_ANY: Final = r"\w+"
"""The part of a name that is not known."""


def meanings(
    value: ast.expr, spot: Spot, files: Collection[str], depth: int = _DEPTH
) -> Iterator[Any]:
    """All that it may stand for, as far as that still lives; nothing where none of it is known."""
    known = spot.scene.meant(value)
    if known is not MISSING:
        yield known
    elif depth:
        yield from _guessed(value, spot, files, depth - 1)


def _guessed(value: ast.expr, spot: Spot, files: Collection[str], depth: int) -> Iterator[Any]:
    match value:
        case ast.Name():
            for binding, at in bound(value, spot):
                yield from _given(binding, at, files, depth)
        case (
            ast.Subscript(value=ast.ListComp(elt=part))
            | ast.Call(func=ast.Name(id="next"), args=[ast.GeneratorExp(elt=part), *_])
        ):
            yield from meanings(part, spot, files, depth)
        case ast.Subscript(value=inner) | ast.Call(func=ast.Attribute(value=inner, attr="get")):
            for whole in meanings(inner, spot, files, depth):
                yield from _within(whole)
                yield from _of_getitem(whole, files, depth)
        case ast.IfExp():
            for part in chosen_of(value, spot.scene.truth):
                yield from meanings(part, spot, files, depth)
        case ast.Call(func=ast.Attribute(value=inner, attr=how), args=[]) if how in _ALL_OF_IT:
            yield from meanings(inner, spot, files, depth)
        case ast.Call(func=ast.Name(id=how), args=[inner, *_]) if how in _IN_ORDER:
            yield from meanings(inner, spot, files, depth)
        case ast.Call(func=ast.Name(id="getattr"), args=[whose, name, *_]):
            yield from _methods(spot.scene.meant(whose), _spelled(name, spot.scene))
        case ast.Call():
            for result, at in _results(value, spot, files):
                yield from meanings(result, at, files, depth)


def _of_getitem(whole: Any, files: Collection[str], depth: int) -> Iterator[Any]:
    """What an object of the program's own gives for a key."""
    method = attribute_of(whole, "__getitem__")
    if type(method) is types.FunctionType and method.__code__.co_filename in files:
        code = method.__code__
        body = body_around(code.co_filename, code.co_firstlineno)
        if isinstance(body, Function):
            scene = Scene(code.co_filename, body, {code.co_varnames[0]: whole})
            for node, result in results_of(body):
                yield from meanings(result, Spot(scene, node), files, depth)


def _given(binding: Binding, at: Spot, files: Collection[str], depth: int) -> Iterator[Any]:
    drawn = isinstance(binding.node, _DRAWING) or binding.part
    for whole in meanings(binding.value, at, files, depth) if not binding.adds else ():
        for each in _within(whole) if drawn else [whole]:
            yield each
            if drawn and type(each) is tuple:  # `for begin, stage in self.stages`
                yield from each


_DRAWING: Final = (
    *(ast.For, ast.AsyncFor),
    *(ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp),
)


_ALL_OF_IT: Final = ("items", "values", "children", "named_children")
"""Methods that give one after another what lies in a dict or a module."""


_IN_ORDER: Final = ("iter", "list", "reversed", "sorted", "tuple")
"""Functions that give what lies in a container one after another, or in another one."""


def _within(whole: Any) -> list[Any]:
    """What lies in a container, or a module."""
    if is_module(whole):
        return list(children_of(whole))
    return list(elements(whole)) if issubclass(type(whole), CONTAINERS) else []


def _results(call: ast.Call, spot: Spot, files: Collection[str]) -> Iterator[tuple[ast.expr, Spot]]:
    """What the program's functions of that name hand back."""
    found = callees(call, files)
    for file, function in found if len(found) <= _MOST else ():
        scene = Scene(file, function, given=arguments(function, call, spot))
        if isinstance(call.func, ast.Attribute):
            owner = spot.scene.meant(call.func.value)
            scene.values |= {"self": owner} if owner is not MISSING else {}
        yield from ((value, Spot(scene, node)) for node, value in results_of(function))


def _methods(owner: Any, pattern: str) -> Iterator[Any]:
    """The methods that may be meant by `getattr(self, f"{stage}_loss")`, bound to their object."""
    if owner is MISSING or not pattern.replace(_ANY, ""):
        return
    met: set[str] = set()
    for kind in type.__getattribute__(type(owner), "__mro__"):
        for key, value in type.__getattribute__(kind, "__dict__").items():
            if re.fullmatch(pattern, key) and key not in met and type(value) is types.FunctionType:
                met.add(key)
                yield types.MethodType(value, owner)


def _spelled(name: ast.expr, scene: Scene) -> str:
    """A pattern for the name that is put together there."""
    match name:
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _spelled(left, scene) + _spelled(right, scene)
        case ast.JoinedStr(values=parts):
            return "".join(_spelled(part, scene) for part in parts)
        case ast.FormattedValue(value=inner):
            return _spelled(inner, scene)
    known = scene.meant(name)
    return re.escape(known) if type(known) is str else _ANY
