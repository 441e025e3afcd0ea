"""The ways back from an expression to what it was made of, through the program's own source.

What is still alive is asked whether it requires a gradient; what is not is followed to the
statements that made it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from types import FunctionType
from typing import Final

from gradwatch_agent.diagnosis.graphless.freezing import Modules
from gradwatch_agent.diagnosis.graphless.living import Living
from gradwatch_agent.diagnosis.graphless.origins import bound, stored
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.diagnosis.graphless.ways import (
    NOTHING,
    UNKNOWN,
    Fate,
    Way,
    Why,
    is_bare,
    together,
)
from gradwatch_agent.naming.slots import MISSING
from gradwatch_agent.source.bindings import Part
from gradwatch_agent.source.severing import copies, severed
from gradwatch_agent.source.switching import switches_around

_MOST: Final = 2_000
"""Expressions that are looked at."""

_DEPTH: Final = 64
"""Of them, each made of the next."""

_SHAPES: Final = frozenset(("shape", "dtype", "device", "ndim", "training", "requires_grad"))


class Tracing:
    """One search for what cuts the graph of a value."""

    def __init__(
        self,
        files: Collection[str],
        call: Callable[[Tracing, ast.Call, Spot, Part], list[Way]],
    ) -> None:
        self.files = sorted(files)
        self.living = Living(self.files)
        self._call = call
        self._seen: set[tuple[int, int, Part]] = set()
        self._depth = 0
        self._scenes: dict[tuple[int, int], Scene] = {}
        self.modules = {True: Modules(), False: Modules()}
        """Those on the way, whether an optimizer steps theirs or not."""

    def trace(self, value: ast.expr, spot: Spot, pick: Part = ()) -> list[Way]:
        """Where the ways back from the value end; none that were gone already."""
        key = (id(value), id(spot.scene), pick)
        if key in self._seen:
            return []
        if len(self._seen) >= _MOST or self._depth >= _DEPTH:
            return list(UNKNOWN)
        self._seen.add(key)
        self._depth += 1
        try:
            return self._cut(value, spot, pick) or self._through(value, spot, pick)
        finally:
            self._depth -= 1

    def _cut(self, value: ast.expr, spot: Spot, pick: Part) -> list[Way]:
        """The way that ends there, if the value is one that has no graph of what it is made of."""
        left = severed(value, pick)
        if left is None or (isinstance(value, ast.Call) and self._is_own(value, spot)):
            return []
        beyond = together(self.trace(each, spot) for each in left)
        if is_bare(beyond):
            return list(NOTHING)
        if copies(value) and beyond[0].fate is Fate.CUT:
            return beyond  # numbers were made of the tensors before
        return [Way(Fate.CUT, spot.scene.file, value, Why.EXPRESSION, ast.unparse(value))]

    def _is_own(self, call: ast.Call, spot: Spot) -> bool:
        """Whether it calls a function of the program's, whatever that is called."""
        meant = spot.scene.meant(call.func)
        return type(meant) is FunctionType and meant.__code__.co_filename in self.files

    def _through(self, value: ast.expr, spot: Spot, pick: Part) -> list[Way]:
        match value:
            case ast.Name():
                return self._name(value, spot, pick)
            case ast.Attribute():
                return self._attribute(value, spot, pick)
            case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
                return self.living.ways(value, spot) or self.trace(inner, spot, (key, *pick))
            case ast.Subscript(value=inner) | ast.Starred(value=inner) | ast.Await(value=inner):
                return self.trace(inner, spot, pick)
            case ast.NamedExpr(value=inner) | ast.YieldFrom(value=inner):
                return self.trace(inner, spot, pick)
            case ast.Call():
                return self._call(self, value, spot, pick)
            case ast.BinOp(left=left, right=right):
                return self._all([left, right], spot)
            case ast.UnaryOp(operand=inner):
                return self.trace(inner, spot)
            case ast.IfExp(body=body, orelse=other):
                return [*self.trace(body, spot, pick), *self.trace(other, spot, pick)]
            case ast.BoolOp(values=parts):
                return [way for part in parts for way in self.trace(part, spot, pick)]
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return self._elements(parts, spot, pick)
            case ast.Dict(keys=keys, values=parts):
                return self._entries(keys, parts, spot, pick)
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
                return self.trace(part, spot, pick[1:])
            case ast.DictComp(value=part):
                return self.trace(part, spot, pick[1:])
        return list(NOTHING)

    def _all(self, parts: list[ast.expr], spot: Spot) -> list[Way]:
        return together([self.trace(part, spot) for part in parts])

    def _elements(self, parts: list[ast.expr], spot: Spot, pick: Part) -> list[Way]:
        if pick and type(pick[0]) is int and -len(parts) <= pick[0] < len(parts):
            return self.trace(parts[pick[0]], spot, pick[1:])
        return self._all(parts, spot)

    def _entries(
        self, keys: list[ast.expr | None], parts: list[ast.expr], spot: Spot, pick: Part
    ) -> list[Way]:
        for key, part in zip(keys, parts, strict=True):
            if pick and isinstance(key, ast.Constant) and key.value == pick[0]:
                return self.trace(part, spot, pick[1:])
        return self._all(parts, spot)

    def _name(self, value: ast.Name, spot: Spot, pick: Part) -> list[Way]:
        told = self.living.ways(value, spot)
        if told and not pick:
            return told
        found: list[Way] = []
        for binding, at in bound(value, spot):
            part = binding.of(pick)
            if part is not None:
                found += self.enter(binding.value, at, part)
        return found or told or list(UNKNOWN)

    def _attribute(self, value: ast.Attribute, spot: Spot, pick: Part) -> list[Way]:
        if value.attr in _SHAPES:
            return list(NOTHING)
        told = self.living.ways(value, spot)
        if told:
            return told
        through = self.trace(value.value, spot, (value.attr, *pick))
        if not is_bare(through) and any(way.fate is not Fate.UNKNOWN for way in through):
            return through
        made = []
        for what, at, own in stored(value, self.files):
            owner = spot.scene.meant(value.value) if own else MISSING
            scene = self._scenes.setdefault((id(at.scene.body), id(owner)), at.scene)
            if owner is not MISSING:
                scene.values["self"] = owner
            made += self.enter(what, Spot(scene, at.node), pick)
        return made or through or list(UNKNOWN)

    def enter(self, value: ast.expr, spot: Spot, pick: Part) -> list[Way]:
        """The same of a value in a statement, which may stand where gradients are off."""
        ways = self.trace(value, spot, pick)
        for switch in switches_around(spot.scene.body, spot.node.lineno):
            if not is_bare(ways) and _is_off(switch, spot):
                return [Way(Fate.CUT, spot.scene.file, switch, Why.MODE)]
        if is_bare(ways) and all(way.node is None for way in ways):
            return [Way(Fate.NOTHING, spot.scene.file, spot.node)]
        return ways


def _is_off(switch: ast.expr, spot: Spot) -> bool:
    """Whether gradients are off there, as far as that can be told."""
    given = switch.args[0] if isinstance(switch, ast.Call) and switch.args else None
    match given:
        case None:
            return True
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            sides = [spot.scene.meant(left), spot.scene.meant(right)]
            return any(type(side) not in (str, int, bool) for side in sides) or len(set(sides)) > 1
    on = spot.scene.meant(given) is True
    return on is not ("set_grad_enabled" in ast.unparse(switch))
