"""The statement that made what is there, by whatever name it was handed on since."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final

from gradwatch_agent.diagnosis.graphless.callees import callee_of
from gradwatch_agent.diagnosis.graphless.origins import bound, stored
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.source.gradients.severing import wants_gradient
from gradwatch_agent.source.syntax.statements import results_of

_HOPS: Final = 8
"""Other names by which one thing is followed."""


def made(value: ast.expr, spot: Spot, files: Collection[str], hops: int = _HOPS) -> Spot | None:
    """Of a name, an attribute, an element or a call; None where that is not known."""
    if isinstance(value, ast.Name):
        for binding, at in bound(value, spot):
            if wants_gradient(binding.value):
                continue
            handed = hops and not binding.part and not binding.adds
            return (made(binding.value, at, files, hops - 1) if handed else None) or at
    if isinstance(value, ast.Attribute):
        every = stored(value, spot.scene.meant(value.value), files)
        return next((at for what, at, _ in every if not wants_gradient(what)), None)
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
