"""What the program's own code does within a call of torch's: a module's hooks, the forward of a
custom Function.
"""

from __future__ import annotations

import ast
import types
from dataclasses import replace
from typing import Any

import torch

from gradwatch_agent.diagnosis.graphless.callees import own_function
from gradwatch_agent.diagnosis.graphless.modules import weights_of
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.ways import Fate, Way, Why, cuts, is_bare, trained_by
from gradwatch_agent.naming.attributes import attribute_of
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import results_of

_GIVEN: int = 2
"""At which place, but for `self`, a forward hook is given what the module gives."""


def of_hooks(tracing: Tracing, module: torch.nn.Module) -> list[Way]:
    """Of what a module's forward hooks put in the place of what it gives; none if they do not."""
    named = attribute_of(module, "_forward_hooks")
    found: list[Way] = []
    for hook in list(dict.values(named)) if issubclass(type(named), dict) else ():
        own = own_function(_function_of(hook), _owner_of(hook), tracing.files)
        if own is None:
            continue
        names = [each.arg for each in (*own.body.args.posonlyargs, *own.body.args.args)]
        its = names[1:] if names[:1] == ["self"] else names
        scene = Scene(own.file, own.body, dict(own.closure))
        weights = list(weights_of(module))
        scene.values["self"] = own.owner
        scene.values.update((name, weights) for name in its[_GIVEN:])
        for node, value in results_of(own.body):
            ways = tracing.enter(value, Spot(scene, node), ())
            lost = [replace(way, file=own.file, node=node, why=Why.HOOKED) for way in cuts(ways)]
            found += lost or ways
    return found


def of_marked(tracing: Tracing, call: ast.Call, spot: Spot, given: list[Way]) -> Way | None:
    """Where a custom Function says that what it gives has no gradient."""
    kind = spot.scene.meant(call.func.value) if isinstance(call.func, ast.Attribute) else None
    if called(call) != "apply" or not issubclass(type(kind), type) or is_bare(given):
        return None
    own = own_function(_plain(attribute_of(kind, "forward")), kind, tracing.files)
    for node in ast.walk(own.body) if own is not None else ():
        if isinstance(node, ast.Call) and called(node) == "mark_non_differentiable":
            file = own.file if own is not None else ""
            return Way(Fate.CUT, file, node, Why.MARKED, trained=trained_by([given]))
    return None


def _function_of(hook: Any) -> Any:
    if type(hook) is types.MethodType:
        return hook.__func__
    return hook if type(hook) is types.FunctionType else attribute_of(hook, "__call__")


def _owner_of(hook: Any) -> Any:
    return hook.__self__ if type(hook) is types.MethodType else hook


def _plain(method: Any) -> Any:
    return method.__func__ if type(method) is staticmethod else method
