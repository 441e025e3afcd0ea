"""The ways back from an expression to what it was made of, through the program's own source.

What is still alive is asked whether it requires a gradient; what is not is followed to the
statements that made it.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, Final

import torch

from gradwatch_agent.diagnosis.graphless.callees import Own, callee_of, own_function
from gradwatch_agent.diagnosis.graphless.contexts import switch_at
from gradwatch_agent.diagnosis.graphless.listed import of_numbers
from gradwatch_agent.diagnosis.graphless.living import Living, requires_gradient
from gradwatch_agent.diagnosis.graphless.modules import is_module, weights_of
from gradwatch_agent.diagnosis.graphless.origins import bound, stored
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.diagnosis.graphless.ways import (
    NOTHING,
    UNKNOWN,
    Fate,
    Named,
    Way,
    Why,
    cuts,
    is_bare,
    is_of_others,
    named,
    together,
    trained_by,
)
from gradwatch_agent.diagnosis.graphless.whose import Modules
from gradwatch_agent.naming.attributes import MISSING, attribute_of
from gradwatch_agent.naming.containers import elements
from gradwatch_agent.source.flow.bindings import Part
from gradwatch_agent.source.gradients.severing import copies, severed
from gradwatch_agent.source.gradients.switching import chosen_of
from gradwatch_agent.source.syntax.reading import SHAPES, dotted
from gradwatch_agent.source.syntax.statements import results_of
from gradwatch_agent.source.syntax.text import statement_at

_MOST: Final = 2_000
"""Expressions that are looked at."""

_DEPTH: Final = 64
"""Of them, each made of the next."""

_LONGEST_S: Final = 1.0
"""For one search, while training waits."""

Call = Callable[["Tracing", ast.Call, Spot, Part], list[Way]]


class Tracing:
    """One search for what cuts the graph of a value."""

    def __init__(
        self, files: Collection[str], call: Call, stepped: Collection[torch.Tensor]
    ) -> None:
        self.files = sorted(files)
        self.living = Living(self.files, stepped)
        self._call = call
        self._until = time.monotonic() + _LONGEST_S
        self._seen: dict[tuple[int, int, Part], tuple[ast.expr, Scene]] = {}
        """Kept, so that nothing else comes by their `id`s."""
        self._bare: dict[tuple[int, int, Part], list[Way]] = {}
        """What ended at nothing that ever had a graph, whichever way one comes to it."""
        self._entered: set[int] = set()
        self._depth = 0
        self._scenes: dict[tuple[int, int], Scene] = {}
        self.modules = {True: Modules(), False: Modules()}
        """Those on the way, whether an optimizer steps theirs or not."""

    def enter_module(self, module: torch.nn.Module) -> bool:
        """Whether it is met for the first time."""
        new = id(module) not in self._entered
        self._entered.add(id(module))
        return new

    def trace(self, value: ast.expr, spot: Spot, pick: Part = ()) -> list[Way]:
        """Where the ways back from the value end; none that were gone already."""
        key = (id(value), id(spot.scene), pick)
        if key in self._seen:
            return self._bare.get(key, [])
        if len(self._seen) >= _MOST or self._depth >= _DEPTH or time.monotonic() > self._until:
            return list(UNKNOWN)
        self._seen[key] = (value, spot.scene)
        self._depth += 1
        try:
            ways = self._cut(value, spot, pick) or self._through(value, spot, pick)
        finally:
            self._depth -= 1
        if ways and is_bare(ways):
            self._bare[key] = ways
        return ways

    def _cut(self, value: ast.expr, spot: Spot, pick: Part) -> list[Way]:
        """The way that ends there, if the value is one that has no graph of what it is made of."""
        left = severed(value, pick) or of_numbers(value, spot, self.files)
        if left is None or self._is_known(value, spot):
            return []
        every = [self.of_weights(each, spot) or self.trace(each, spot) for each in left]
        beyond, trained = together(every), trained_by(every)
        if is_bare(beyond):
            return list(NOTHING)
        if is_of_others(beyond):
            return beyond  # to keep that graph would train nothing
        if isinstance(value, ast.Compare) and beyond[0].fate is Fate.CUT:
            return beyond  # which is where it is taken from: `torch.where(error < 1, error, 1)`
        if copies(value) and beyond[0].fate is Fate.CUT:
            # Numbers were made of the tensors before.
            return [replace(way, copied=self._further(way, value)) for way in beyond]
        code = ast.unparse(value)
        return [Way(Fate.CUT, spot.scene.file, value, Why.EXPRESSION, code, trained)]

    def _further(self, way: Way, value: ast.expr) -> str:
        """What is to be changed besides: the copy, unless it is a part of what is changed there."""
        statement = statement_at(way.file, way.node.lineno) if way.node is not None else None
        return "" if statement is None or value in ast.walk(statement) else ast.unparse(value)

    def of_weights(self, value: ast.expr, spot: Spot) -> list[Way]:
        """Of a module, `net.state_dict()`, or of several in a list."""
        meant = spot.scene.meant(value)
        several = elements(meant) if issubclass(type(meant), list | tuple) else [meant]
        if not several or not all(map(is_module, several)):
            return []
        every = [m for m in several if requires_gradient(list(weights_of(m)))]
        return [Way(Fate.GRAPH, trained=self.living.trained_of(each)) for each in every[:1]]

    def _is_known(self, value: ast.expr, spot: Spot) -> bool:
        """Whether it is something else than its name says: a function or an object of one's own."""
        if isinstance(value, ast.Call):
            callee = callee_of(value, spot.scene, self.files)
            return bool(callee.functions or callee.modules)
        owner = spot.scene.meant(value.value) if isinstance(value, ast.Attribute) else MISSING
        return owner is not MISSING and not issubclass(type(owner), torch.Tensor)

    def _through(self, value: ast.expr, spot: Spot, pick: Part) -> list[Way]:
        match value:
            case ast.Name():
                return self._name(value, spot, pick)
            case ast.Attribute():
                return self._attribute(value, spot, pick)
            case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
                return self.living.ways(value, spot) or self.trace(inner, spot, (key, *pick))
            case ast.Call():
                return self._call(self, value, spot, pick)
            case ast.IfExp():
                chosen = chosen_of(value, spot.scene.truth)
                return [way for part in chosen for way in self.trace(part, spot, pick)]
            case ast.BoolOp(values=parts):
                return [way for part in parts for way in self.trace(part, spot, pick)]
        return self._of_parts(value, spot, pick)

    def _of_parts(self, value: ast.expr, spot: Spot, pick: Part) -> list[Way]:
        """Of what is no more than its parts together, or one of them."""
        match value:
            case ast.Subscript(value=inner, slice=index):
                ways = self.trace(inner, spot, pick)
                # What was cut off may be meant by the places it gives: `levels[scores.argmax()]`.
                return (cuts(self.trace(index, spot)) if is_bare(ways) else []) or ways
            case ast.Starred(value=inner) | ast.Await(value=inner):
                return self.trace(inner, spot, pick)
            case ast.NamedExpr(value=inner) | ast.YieldFrom(value=inner):
                return self.trace(inner, spot, pick)
            case ast.BinOp(left=left, right=right):
                return self._all([left, right], spot)
            case ast.UnaryOp(operand=inner):
                return self.trace(inner, spot)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return self._one_or_all(dict(enumerate(parts)), spot, pick)
            case ast.Dict(keys=keys, values=parts):
                named = zip(keys, parts, strict=True)
                keyed = {getattr(key, "value", key): part for key, part in named}
                return self._one_or_all(keyed, spot, pick)
            case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
                return self.trace(part, spot, pick[1:])
            case ast.DictComp(value=part):
                return self.trace(part, spot, pick[1:])
        return list(NOTHING)

    def _one_or_all(self, parts: dict[Any, ast.expr], spot: Spot, pick: Part) -> list[Way]:
        asked = pick[0] if pick else None
        if type(asked) is int and asked < 0:
            asked += len(parts)
        if asked is not None and asked in parts:
            return self.trace(parts[asked], spot, pick[1:])
        return self._all(list(parts.values()), spot)

    def _all(self, parts: list[ast.expr], spot: Spot) -> list[Way]:
        return together([self.trace(part, spot) for part in parts])

    def _name(self, value: ast.Name, spot: Spot, pick: Part) -> list[Way]:
        told = self.living.ways(value, spot)
        if told and not pick:
            return told
        found = self._drawn(spot.scene.meant(value), pick)
        for binding, at in bound(value, spot):
            part = binding.of(pick)
            if part is not None:
                # What the parameter of a function stands for, its caller knows by a name.
                _, caller = spot.scene.given.get(value.id, (None, None))
                own = isinstance(binding.node, ast.stmt) and at is not caller
                given = Named(value.id, at.scene.file, binding.node) if own else None
                found += named(given, self.enter(binding.value, at, part))
        return found or told or list(UNKNOWN)

    def _drawn(self, meant: Any, pick: Part) -> list[Way]:
        """Of what a loader, or an object of the program's own, gives one after another."""
        if issubclass(type(meant), torch.utils.data.DataLoader):
            return self.given_by(attribute_of(meant, "dataset"), pick)
        own = own_function(attribute_of(meant, "__iter__"), meant, self.files)
        return self._results(own, meant, pick) if own is not None else []

    def given_by(self, dataset: Any, pick: Part) -> list[Way]:
        """Of a dataset's items; none if it is a library's."""
        own = own_function(attribute_of(dataset, "__getitem__"), dataset, self.files)
        return self._results(own, dataset, pick) if own is not None else []

    def _attribute(self, value: ast.Attribute, spot: Spot, pick: Part) -> list[Way]:
        if value.attr in SHAPES:
            return list(NOTHING)
        told = self.living.ways(value, spot)
        if told:
            return told
        owner, meant = spot.scene.meant(value.value), spot.scene.meant(value)
        if type(meant) is property:
            return self._property(meant, owner, pick)
        known = owner is not MISSING
        made = self._stored(value, owner, pick) if known else []
        through = [] if made else self.trace(value.value, spot, (value.attr, *pick))
        if not is_bare(through) and any(way.fate is not Fate.UNKNOWN for way in through):
            return through
        return made or (through if known else self._stored(value, owner, pick)) or list(UNKNOWN)

    def _stored(self, value: ast.Attribute, owner: Any, pick: Part) -> list[Way]:
        """By the statements that store into the attribute."""
        found: list[Way] = []
        for what, at, own in stored(value, owner, self.files):
            scene = self._scenes.setdefault((id(at.scene.body), id(owner)), at.scene)
            if own and owner is not MISSING:
                scene.values["self"] = owner
            if scene.may_run(at.node.lineno):
                given = Named(dotted(value) or value.attr, scene.file, at.node)
                found += named(given, self.enter(what, Spot(scene, at.node), pick))
        return found

    def _property(self, meant: property, owner: Any, pick: Part) -> list[Way]:
        own = own_function(meant.fget, owner, self.files)
        return self._results(own, owner, pick) if own is not None else list(UNKNOWN)

    def _results(self, own: Own, owner: Any, pick: Part) -> list[Way]:
        """Of what a method hands back, whoever calls it."""
        scene = self._scenes.setdefault((id(own.body), id(owner)), Scene(own.file, own.body))
        scene.values["self"] = owner
        results = results_of(own.body)
        return [w for node, what in results for w in self.enter(what, Spot(scene, node), pick)]

    def enter(self, value: ast.expr, spot: Spot, pick: Part) -> list[Way]:
        """The same of a value in a statement, which may stand where gradients are off."""
        ways = self.trace(value, spot, pick)
        kept = is_bare(ways) or is_of_others(ways)
        off = switch_at(spot, self.files) if not kept else None
        if off is not None:
            return [Way(Fate.CUT, *off, Why.MODE, trained=trained_by([ways]))]
        if ways and is_bare(ways) and all(way.node is None for way in ways):
            return [Way(Fate.NOTHING, spot.scene.file, spot.node)]
        return ways
