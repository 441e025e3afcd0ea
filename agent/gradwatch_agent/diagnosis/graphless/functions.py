"""The ways back through the program's own functions."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final

import torch

from gradwatch_agent.diagnosis.graphless.callees import Own
from gradwatch_agent.diagnosis.graphless.living import is_frozen
from gradwatch_agent.diagnosis.graphless.modules import is_module
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot, arguments
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.ways import (
    UNKNOWN,
    Fate,
    Trained,
    Way,
    Why,
    is_bare,
    trained_by,
)
from gradwatch_agent.naming.attributes import MISSING
from gradwatch_agent.source.flow.bindings import Part
from gradwatch_agent.source.gradients.switching import applied, is_off
from gradwatch_agent.source.syntax.statements import results_of

DEPTH: Final = 24
"""Functions, one called within the other."""


def depth_of(spot: Spot) -> int:
    """How many calls around it were gone into, one within the other."""
    scene, depth = spot.scene, 0
    while scene.given and depth < DEPTH:
        scene, depth = next(iter(scene.given.values()))[1].scene, depth + 1
    return depth


def of_function(tracing: Tracing, own: Own, call: ast.Call, spot: Spot, part: Part) -> list[Way]:
    """Of what it hands back, given what the call gives it."""
    scene = Scene(own.file, own.body, dict(own.closure))
    names = [each.arg for each in (*own.body.args.posonlyargs, *own.body.args.args)]
    owner = own.owner
    if owner is MISSING and names[:1] == ["self"] and isinstance(call.func, ast.Attribute):
        owner = spot.scene.meant(call.func.value)
    if owner is not MISSING and names and names[0] in ("self", "cls"):
        scene.values[names[0]] = owner
    scene.given = arguments(own.body, call, spot)
    if names[:1] == ["self"] and isinstance(call.func, ast.Attribute):
        scene.given["self"] = (call.func.value, spot)
    ways: list[Way] = []
    for node, value in results_of(own.body):
        if scene.may_run(node.lineno):
            ways += tracing.enter(value, Spot(scene, node), part)
    if own.in_a_mode and not is_bare(ways):
        modes = [at for at in applied(tracing.files) if is_off(at[1].func, scene.truth)]
        return [Way(Fate.CUT, *at, Why.MODE, trained=trained_by([ways])) for at in modes] or ways
    if is_module(owner):
        tracing.modules[tracing.living.trained_of(owner) is Trained.YES].meet(owner, call, spot)
        ways = _of_a_module(tracing, owner, ways, spot)
    return ways or list(UNKNOWN)


def _of_a_module(
    tracing: Tracing, module: torch.nn.Module, ways: list[Way], spot: Spot
) -> list[Way]:
    """Through what a module's own code calls: of one that nobody trains the call of it is told; of
    one that somebody trains in part, whatever is frozen there may be meant.
    """
    trained = tracing.living.trained_of(module)
    if trained is Trained.NO and is_frozen(module):
        another = Way(Fate.UNKNOWN, spot.scene.file, spot.node, Why.ANOTHER, trained=trained)
        return [another, *(way for way in ways if way.why not in (Why.FROZEN, Why.ANOTHER))]
    if trained is Trained.YES:
        return [replace(w, why=Why.FROZEN) if w.why is Why.ANOTHER else w for w in ways]
    return ways
