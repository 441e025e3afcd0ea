"""The ways back through modules: their own code, a sequence of them, else their weights."""

from __future__ import annotations

import ast
from dataclasses import replace

import torch

from gradwatch_agent.diagnosis.graphless.callees import own_function
from gradwatch_agent.diagnosis.graphless.functions import DEPTH, depth_of, of_function
from gradwatch_agent.diagnosis.graphless.living import requires_gradient
from gradwatch_agent.diagnosis.graphless.modules import children_of, own_weights
from gradwatch_agent.diagnosis.graphless.scene import Spot
from gradwatch_agent.diagnosis.graphless.standing import bare, standing
from gradwatch_agent.diagnosis.graphless.stepping_in import of_hooks
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.ways import (
    GRAPH,
    UNKNOWN,
    Fate,
    Trained,
    Way,
    Why,
    cuts,
    is_bare,
    together,
)
from gradwatch_agent.naming.attributes import attribute_of
from gradwatch_agent.source.flow.bindings import Part


def of_module(
    tracing: Tracing, module: torch.nn.Module, call: ast.Call, spot: Spot, part: Part
) -> list[Way]:
    """Of what is called on it: the program's own code, else by its weights."""
    trained = tracing.living.trained_of(module)
    tracing.modules[trained is Trained.YES].meet(module, call, spot)
    if hooked := of_hooks(tracing, module):
        return hooked
    own = own_function(attribute_of(module, "forward"), module, tracing.files)
    if own is not None and depth_of(spot) < DEPTH:
        return of_function(tracing, own, call, spot, part)
    if not tracing.enter_module(module):
        return []
    children = children_of(module)
    if type(module) is torch.nn.Sequential:
        return of_sequence(tracing, children, call, spot, part)
    given = together(tracing.trace(each, spot) for each in call.args)
    if children:
        inner = [of_module(tracing, each, bare(call), spot, ()) for each in reversed(children)]
        return together([given, *(ways for ways in inner if not is_bare(ways))])
    weights = own_weights(module)
    if requires_gradient(weights):
        return [replace(GRAPH[0], trained=trained)]
    if not weights:  # of one that is compiled or half made nothing is known
        return given if type(module).__module__.startswith("torch.nn.") else list(UNKNOWN)
    fate = Fate.CUT if trained is Trained.YES else Fate.UNKNOWN
    why = Why.ANOTHER if trained is Trained.NO else Why.FROZEN
    way = Way(fate, spot.scene.file, spot.node, why, trained=trained)
    # What is to be trained by itself is so whatever it is given.
    return [way] if fate is Fate.CUT else [way, *cuts(given)]


def of_sequence(
    tracing: Tracing, modules: list[torch.nn.Module], call: ast.Call, spot: Spot, part: Part
) -> list[Way]:
    """Of what the last of them gives, each of which is given what the one before it gives."""
    operands: list[list[Way]] = []
    for number, module in reversed(list(enumerate(modules))):
        if own_function(attribute_of(module, "forward"), module, tracing.files) is not None:
            before = [standing(modules[:number], call)] if number else call.args
            its = standing(module, call, before)
            operands.append(of_module(tracing, module, its, spot, () if operands else part))
            return together(operands)
        ways = of_module(tracing, module, bare(call), spot, ())
        operands += [] if is_bare(ways) else [ways]
        if any(way.why is not Why.FROZEN for way in cuts(ways)):  # what came before is lost there
            return together(operands)
    return together([*(tracing.trace(each, spot) for each in call.args), *operands])
