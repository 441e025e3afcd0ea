"""Which statements gave a name, or an attribute, what it stands for; and where each of them stands.

Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any

from gradwatch_agent.diagnosis.graphless.modules import children_of, is_module, kinds_of
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot, arguments
from gradwatch_agent.naming.attributes import MISSING
from gradwatch_agent.naming.containers import CONTAINERS, elements
from gradwatch_agent.source.flow.bindings import Binding, bindings, parameters_of
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import callees, fits, given_as
from gradwatch_agent.source.stored.stores import Store, attribute, stores
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.scopes import within
from gradwatch_agent.source.syntax.statements import (
    Body,
    Function,
    body_around,
    functions_of,
    is_in,
)
from gradwatch_agent.source.syntax.text import statement_at, tree


def bound(value: ast.Name, spot: Spot) -> Iterator[tuple[Binding, Spot]]:
    """Of a name, in its function or in the one around it; what a parameter was given, too."""
    name, line = value.id, value.lineno
    scene, here = spot.scene, True
    while True:
        found, surely = bindings(scene.body, name, line if here else None)
        for each in found:
            if scene.may_run(each.node.lineno):
                yield each, Spot(scene, each.node)
            if here and _ran(each, scene, line):
                return
        if name in scene.given and not surely:
            given, at = scene.given[name]
            yield Binding(at.node, given), at
        if found or scene.is_module or name in parameters_of(scene.body):
            break
        outer = _module(scene.file)
        if outer is None:
            break
        scene, here = outer, False
    yield from _from_within(scene, name)
    yield from _handed_over(value, Spot(scene, spot.node))


def _ran(binding: Binding, scene: Scene, line: int) -> bool:
    """Whether the loop in which it stands is known to have come round: over a module's layers."""
    loops = [each for each in binding.conditions if not is_in(each.block, line)]
    over = [each.statement.iter for each in loops if isinstance(each.statement, ast.For)]
    known = len(over) == len(loops) and not binding.adds
    return bool(loops) and known and all(_has_some(each, scene) for each in over)


def _has_some(value: ast.expr, scene: Scene) -> bool:
    if isinstance(value, ast.Call) and called(value) in ("enumerate", "zip", "reversed"):
        return all(_has_some(each, scene) for each in value.args)
    meant = scene.meant(value)
    if is_module(meant):
        return bool(children_of(meant))
    return issubclass(type(meant), CONTAINERS) and bool(elements(meant))


def _from_within(scene: Scene, name: str) -> Iterator[tuple[Binding, Spot]]:
    """By functions within that declare it `nonlocal`; of a module's, `global`."""
    how = ast.Global if scene.is_module else ast.Nonlocal
    for function in functions_of(scene.file):
        if not scene.is_module and not _is_around(scene.body, function):
            continue
        declared = (node for node in within(function) if isinstance(node, how))
        every = bindings(function, name, None)[0]
        if any(name in each.names for each in declared) or _only_adds(function, name, every):
            inner = Scene(scene.file, function)
            for each in every:
                yield each, Spot(inner, each.node)


def _only_adds(function: Function, name: str, every: list[Binding]) -> bool:
    """Whether the name is another's there, into whose container it puts something."""
    return name not in parameters_of(function) and all(each.key is not None for each in every)


def _handed_over(value: ast.Name, spot: Spot) -> Iterator[tuple[Binding, Spot]]:
    """By functions that are given the container of that name, and put something into it."""
    scene = spot.scene
    for call in ast.walk(scene.body):
        if isinstance(call, ast.Call) and any(_is_name(each, value.id) for each in call.args):
            found = callees(call, [scene.file])
            if len(found) == 1:
                inner = Scene(scene.file, found[0][1], given=arguments(found[0][1], call, spot))
                for name in given_as(value.id, call, found[0][1]):
                    for each in bindings(found[0][1], name, None)[0]:
                        if each.key is not None:
                            yield each, Spot(inner, each.node)


def _is_name(value: ast.expr, name: str) -> bool:
    return isinstance(value, ast.Name) and value.id == name


def _is_around(body: ast.AST, function: Function) -> bool:
    first, last = getattr(body, "lineno", 0), getattr(body, "end_lineno", 0)
    return first < function.lineno <= last


def stored(
    value: ast.Attribute, owner: Any, files: Collection[str]
) -> Iterator[tuple[ast.expr, Spot, bool]]:
    """Of an attribute: what each statement stores, and whether into `self`'s. Of the owner's class,
    if that is known; of no class, where several have such an attribute and it is not.
    """
    every = stores([attribute(value.attr)], files)
    for store in _of_owner(every, owner):
        what = getattr(store.node, "value", None)
        body = body_around(store.file, store.line)
        if isinstance(what, ast.expr) and body is not None:
            given = _made_with(store, body, files) if store.constructs else {}
            yield what, Spot(Scene(store.file, body, given=given), store.node), store.own


def _made_with(
    store: Store, body: Body, files: Collection[str]
) -> dict[str, tuple[ast.expr, Spot]]:
    """What the constructor is given, where objects of its class are made in one place alone."""
    calls = list(calls_of(store.owner, files))
    if len(calls) != 1 or not isinstance(body, Function):
        return {}
    file, call = calls[0]
    around, statement = body_around(file, call.lineno), statement_at(file, call.lineno)
    if around is None or statement is None or not fits(call, body):
        return {}
    return arguments(body, call, Spot(Scene(file, around), statement))


def _of_owner(every: list[Store], owner: Any) -> list[Store]:
    classes = {store.owner for store in every if store.own}
    if owner is MISSING:
        return every if len(classes) < 2 else []
    return [store for store in every if not store.own or store.owner in kinds_of(owner)]


def _module(file: str) -> Scene | None:
    body = tree(file)
    return Scene(file, body) if body is not None else None
