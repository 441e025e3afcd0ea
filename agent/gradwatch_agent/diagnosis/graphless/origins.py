"""Which statements gave a name, or an attribute, what it stands for; and where each of them stands.

Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Final

from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.source.bindings import Binding, bindings
from gradwatch_agent.source.statements import body_around
from gradwatch_agent.source.stores import attribute, stores
from gradwatch_agent.source.text import tree

_HOPS: Final = 8
"""Other names by which one thing is followed."""


def bound(value: ast.Name, spot: Spot) -> Iterator[tuple[Binding, Spot]]:
    """Of a name, in its function or in the one around it; what a parameter was given, too."""
    scene: Scene | None = spot.scene
    line: int | None = value.lineno
    while scene is not None:
        found, surely = bindings(scene.body, value.id, line)
        yield from ((each, Spot(scene, each.node)) for each in found)
        if value.id in scene.given and not surely:
            given, at = scene.given[value.id]
            yield Binding(at.node, given), at
        if found or value.id in scene.given or scene.is_module:
            return
        scene, line = scene.around or _module(scene.file), None


def stored(value: ast.Attribute, files: Collection[str]) -> Iterator[tuple[ast.expr, Spot, bool]]:
    """Of an attribute, whosever it is: what each statement stores, and whether into `self`'s."""
    for store in stores([attribute(value.attr)], files):
        what = getattr(store.node, "value", None)
        body = body_around(store.file, store.line)
        if isinstance(what, ast.expr) and body is not None:
            yield what, Spot(Scene(store.file, body), store.node), store.own


def made(value: ast.expr, spot: Spot, files: Collection[str], hops: int = _HOPS) -> Spot | None:
    """The statement that made what is there, by whatever name it was handed on since."""
    if isinstance(value, ast.Name):
        for binding, at in bound(value, spot):
            handed = hops and not binding.part and not binding.adds
            return (made(binding.value, at, files, hops - 1) if handed else None) or at
    if isinstance(value, ast.Attribute):
        for _, at, _ in stored(value, files):
            return at
    return None


def _module(file: str) -> Scene | None:
    body = tree(file)
    return Scene(file, body) if body is not None else None
