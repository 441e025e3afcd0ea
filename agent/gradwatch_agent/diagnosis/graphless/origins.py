"""Which statements gave a name, or an attribute, what it stands for; and where each of them stands.

Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any, Final

from gradwatch_agent.diagnosis.graphless.callees import callee_of
from gradwatch_agent.diagnosis.graphless.modules import kinds_of
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.naming.slots import MISSING
from gradwatch_agent.source.bindings import Binding, bindings, parameters_of
from gradwatch_agent.source.scopes import within
from gradwatch_agent.source.statements import Function, body_around, functions_of, results_of
from gradwatch_agent.source.stores import Store, attribute, stores
from gradwatch_agent.source.text import tree

_HOPS: Final = 8
"""Other names by which one thing is followed."""


def bound(value: ast.Name, spot: Spot) -> Iterator[tuple[Binding, Spot]]:
    """Of a name, in its function or in the one around it; what a parameter was given, too."""
    name, line = value.id, value.lineno
    scene, here = spot.scene, True
    while True:
        found, surely = bindings(scene.body, name, line if here else None)
        for each in found:
            if scene.may_run(each.node.lineno):
                yield each, Spot(scene, each.node)
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


def _from_within(scene: Scene, name: str) -> Iterator[tuple[Binding, Spot]]:
    """By functions within that declare it `nonlocal`; of a module's, `global`."""
    how = ast.Global if scene.is_module else ast.Nonlocal
    for function in functions_of(scene.file):
        if not scene.is_module and not _is_around(scene.body, function):
            continue
        declared = (node for node in within(function) if isinstance(node, how))
        if any(name in each.names for each in declared):
            inner = Scene(scene.file, function)
            for each in bindings(function, name, None)[0]:
                yield each, Spot(inner, each.node)


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
            yield what, Spot(Scene(store.file, body), store.node), store.own


def _of_owner(every: list[Store], owner: Any) -> list[Store]:
    classes = {store.owner for store in every if store.own}
    if owner is MISSING:
        return every if len(classes) < 2 else []
    return [store for store in every if not store.own or store.owner in kinds_of(owner)]


def made(value: ast.expr, spot: Spot, files: Collection[str], hops: int = _HOPS) -> Spot | None:
    """The statement that made what is there, by whatever name it was handed on since."""
    if isinstance(value, ast.Name):
        for binding, at in bound(value, spot):
            handed = hops and not binding.part and not binding.adds
            return (made(binding.value, at, files, hops - 1) if handed else None) or at
    if isinstance(value, ast.Attribute):
        for _, at, _ in stored(value, spot.scene.meant(value.value), files):
            return at
    if isinstance(value, ast.Subscript):
        return made(value.value, spot, files, hops)
    if isinstance(value, ast.Call):
        results = [
            Spot(Scene(own.file, own.body), node)
            for own in callee_of(value, spot.scene, files).functions
            for node, _ in results_of(own.body)
        ]
        return results[0] if len(results) == 1 else None
    return None


def _module(file: str) -> Scene | None:
    body = tree(file)
    return Scene(file, body) if body is not None else None
