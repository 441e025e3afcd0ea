"""What has switched gradients off where something was made: torch's own blocks and decorators, and
the program's own that do so within.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from gradwatch_agent.diagnosis.graphless.origins import bound
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.source.flow.entering import BLOCKS
from gradwatch_agent.source.gradients.switching import (
    chosen_of,
    is_mode,
    is_off,
    switch_around,
    switches,
)
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Function, functions_named, is_in, methods_of


def switch_at(spot: Spot, files: Collection[str]) -> tuple[str, ast.expr] | None:
    """The expression that does, with its file; None where nothing does, or nobody knows."""
    scene, line = spot.scene, spot.node.lineno
    switch = switch_around(scene.body, line)
    if switch is not None:
        return (scene.file, switch) if is_off(switch, scene.truth) else None
    inner = [b for b in ast.walk(scene.body) if isinstance(b, BLOCKS) and is_in(b.body, line)]
    entered = (item.context_expr for block in inner for item in block.items)
    return next((found for each in entered for found in _own_modes(each, spot, files)), None)


def _own_modes(
    entered: ast.expr, spot: Spot, files: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """What switches them off where a block enters a variable, or a context of the program's own."""
    if isinstance(entered, ast.Name):
        for binding, at in bound(entered, spot):
            for mode in chosen_of(binding.value, at.scene.truth):
                if is_mode(mode) and is_off(mode, at.scene.truth):
                    yield spot.scene.file, entered
    if isinstance(entered, ast.Call):
        for file, function, line in _entered(called(entered), files):
            within = switch_around(function, line)
            found = [within] if within is not None else switches(function, line)
            yield from ((file, each) for each in found if is_off(each, Scene(file, function).truth))


def _entered(name: str, files: Collection[str]) -> Iterator[tuple[str, Function, int]]:
    """The functions that run where it is entered, with their files, and as far as which line."""
    for file, function in functions_named(name, files):
        yield from ((file, function, line) for line in _yields(function))
    for file, function in methods_of(name, "__enter__", files):
        yield file, function, (function.end_lineno or 0) + 1


def _yields(function: Function) -> Iterator[int]:
    """Its lines that yield, if it makes a context of its own."""
    if any("contextmanager" in ast.unparse(each) for each in function.decorator_list):
        yield from (node.lineno for node in ast.walk(function) if isinstance(node, ast.Yield))
