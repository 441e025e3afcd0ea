"""What has switched gradients off where something was made: torch's own blocks and decorators, and
the program's own that do so within.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any

import torch

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
from gradwatch_agent.source.syntax.statements import (
    Function,
    functions_named,
    is_in,
    methods_of,
    results_of,
)


def switch_at(spot: Spot, files: Collection[str]) -> tuple[str, ast.expr] | None:
    """The expression that does, with its file; None where nothing does, or nobody knows."""
    scene, line = spot.scene, spot.node.lineno
    switch = switch_around(scene.body, line)
    if switch is not None:
        return (scene.file, switch) if is_off(switch, scene.truth) else None
    inner = [b for b in ast.walk(scene.body) if isinstance(b, BLOCKS) and is_in(b.body, line)]
    entered = [item.context_expr for block in inner for item in block.items]
    for each in entered:
        if (found := next(_own_modes(each, spot, files), None)) is not None:
            return found
        if _is_off_now(each, spot) or _is_handed_one(each, spot, files):
            return scene.file, each
    return next(((scene.file, call) for block in inner for call in _stacked(block, line)), None)


def _is_off_now(entered: ast.expr, spot: Spot) -> bool:
    """Whether what is entered is, as it is now, one of torch's that switches them off."""
    named = isinstance(entered, ast.Attribute | ast.Name)
    meant: Any = spot.scene.meant(entered) if named else None
    if issubclass(type(meant), torch.set_grad_enabled):
        return not meant.mode
    return issubclass(type(meant), torch.no_grad | torch.inference_mode)


def _is_handed_one(entered: ast.expr, spot: Spot, files: Collection[str]) -> bool:
    """Whether it is what a function of the program's own, or a property, hands back."""
    name = called(entered) if isinstance(entered, ast.Call) else getattr(entered, "attr", "")
    asked = isinstance(entered, ast.Call)
    return any(
        is_mode(mode) and bool(is_off(mode, Scene(file, function).truth))
        for file, function in (functions_named(name, files) if name else ())
        if asked or "property" in "".join(map(ast.unparse, function.decorator_list))
        for _, value in results_of(function)
        for mode in chosen_of(value, spot.scene.truth)
    )


def _stacked(block: ast.With | ast.AsyncWith, line: int) -> list[ast.expr]:
    """What a stack that the block enters is given before the line."""
    is_stack = any("ExitStack" in ast.unparse(item.context_expr) for item in block.items)
    return [*switches(block, line)] if is_stack else []


def _own_modes(
    entered: ast.expr, spot: Spot, files: Collection[str]
) -> Iterator[tuple[str, ast.expr]]:
    """What switches them off where a block enters a variable, or a context of the program's own."""
    if isinstance(entered, ast.IfExp):
        modes = chosen_of(entered, spot.scene.truth)
        if any(is_mode(mode) and is_off(mode, spot.scene.truth) for mode in modes):
            yield spot.scene.file, entered
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
