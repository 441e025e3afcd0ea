"""Of which modules a statement speaks, as names tell: its own, or what its function is given."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeGuard

import torch

from gradwatch_agent.advice.stored import stored
from gradwatch_agent.diagnosis.graphless.modules import kinds_of
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot, arguments
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.source.flow.bindings import bindings, is_own
from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import attribute, owner_at, stores
from gradwatch_agent.source.syntax.statements import Function, body_around, function_at
from gradwatch_agent.source.syntax.text import mentions, nodes, statement_at


@dataclass(slots=True)
class Modules:
    """Whose weights the way back came by."""

    words: set[str] = field(default_factory=set)
    """By which they were called."""
    kinds: set[str] = field(default_factory=set)
    """The names of their classes."""
    bodies: set[int] = field(default_factory=set)
    """The `id`s of the functions that called them, or have a name for them."""
    things: set[int] = field(default_factory=set)
    """Their own."""

    def meet(self, module: object, call: ast.Call, spot: Spot) -> None:
        """One of them is called."""
        self.words.update(re.findall(r"\w+", ast.unparse(call.func)))
        self.kinds.update(kinds_of(module))
        self.bodies.add(id(spot.scene.body))
        self.things.add(id(module))

    def named(self, spots: Iterable[Spot]) -> Modules:
        """With all names that they go by in modules' globals and in the functions that run."""
        spaces: list[tuple[dict[str, Any], object]] = [(each, None) for _, each in own_modules()]
        spaces += [(spot.scene.values, spot.scene.body) for spot in spots]
        for space, body in spaces:
            names = {name for name, each in list(space.items()) if id(each) in self.things}
            self.words |= names
            self.bodies |= {id(body)} if names else set()
        return self


_HOP: Final = 2
"""What counts a call; half of it does another function."""

_OF_THE_KIND: Final = 8
"""Of no more than the name of their class."""

FAR: Final = 16
"""They are none of those."""

_TORCHS: Final = {*vars(torch.nn), "object"}
"""Classes by whose names nothing is told apart."""

_HOPS: Final = 3
"""Calls, one within the function that another one calls."""


def distance(
    at: tuple[str, ast.stmt], speaks: ast.expr, modules: Modules, files: Collection[str]
) -> int:
    """How far off the modules are from what the statement speaks of, or its function is given."""
    file, node = at
    scope = index(file).scopes.get(function_at(file, node.lineno))
    if "self" in words(speaks) and scope is not None and scope.owner in modules.kinds:
        return 0
    return _hops(file, node.lineno, speaks, modules, files)


def _hops(
    file: str,
    line: int,
    speaks: ast.expr,
    modules: Modules,
    files: Collection[str],
    hop: int = 0,
) -> int:
    """Names that are a function's own say nothing outside of it: but what they were given does."""
    body = body_around(file, line)
    spoken, near = _meant(speaks, body) - {"self"}, id(body) in modules.bodies
    known = modules.words if near or body is None else modules.words - _own(body, spoken)
    if not spoken.isdisjoint(known):
        return _HOP * hop + (not near)
    of_the_kind = not spoken.isdisjoint(modules.kinds - _TORCHS)
    most = _OF_THE_KIND + hop if of_the_kind else FAR
    if not isinstance(body, Function) or hop == _HOPS:
        return most
    ways = (
        *_given(file, body, spoken, files),
        *_handed_back(body, spoken, files),
        *_constructed(file, body, speaks, files),
    )
    outside = (_hops(where, given.lineno, given, modules, files, hop + 1) for where, given in ways)
    return min((most, *outside))


def _constructed(
    file: str, body: Function, speaks: ast.expr, files: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """What the constructor of its object has stored as those attributes of `self`."""
    owner = owner_at(file, body.body[0].lineno)
    own = {part.attr for part in ast.walk(speaks) if _is_of_self(part)} if owner else ()
    for store in stores([attribute(name) for name in own], files):
        if store.own and store.owner == owner and store.constructs:
            value = stored(store)
            if value is not None:
                yield store.file, value


def _is_of_self(part: ast.AST) -> TypeGuard[ast.Attribute]:
    return (
        isinstance(part, ast.Attribute)
        and isinstance(part.value, ast.Name)
        and part.value.id == "self"
    )


def _handed_back(
    body: Function, spoken: set[str], files: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """By what names goes outside what the function returns of them."""
    returns = (node.value for node in ast.walk(body) if isinstance(node, ast.Return))
    if any(isinstance(each, ast.Name) and each.id in spoken for each in returns):
        for file, call in calls_of(body.name, files):
            statement = statement_at(file, call.lineno)
            if isinstance(statement, ast.Assign) and statement.value is call:
                yield from ((file, target) for target in statement.targets)


def _meant(speaks: ast.expr, body: ast.AST | None) -> set[str]:
    """The names in it, and those that the function's own variables among them were made of."""
    spoken = words(speaks)
    if body is None:
        return spoken
    made = (each.value for name in _own(body, spoken) for each in bindings(body, name, None)[0])
    return spoken.union(*map(words, made))


def _own(body: ast.AST, spoken: set[str]) -> set[str]:
    return {name for name in spoken if not isinstance(body, ast.Module) and is_own(body, name)}


def _given(
    file: str, function: Function, names: set[str], files: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """What those of its parameters are given, by whoever calls it, or has it called by a method of
    what it is to be given: `net.apply(still)`.
    """
    owner = owner_at(file, function.body[0].lineno)
    for at, call in callers(file, function.body[0].lineno, files):
        caller = body_around(at, call.lineno)
        here = Spot(Scene(at, caller), call) if caller is not None else None
        given = arguments(function, call, here) if here is not None else {}
        yield from ((at, value) for name, (value, _) in given.items() if name in names)
    if owner:
        return  # nobody speaks of a method by its mere name
    for at in files:
        for node in nodes(at) if mentions(at, function.name) else ():
            match node:
                case ast.Call(func=ast.Attribute(value=whose), args=[ast.Name(id=function.name)]):
                    yield at, whose


def words(value: ast.expr) -> set[str]:
    """All names in it, be they read or given something."""
    names = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
    return names | {part.attr for part in ast.walk(value) if isinstance(part, ast.Attribute)}
