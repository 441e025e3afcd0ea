"""The ways back through a call: into the program's own functions, and through a library's."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any, Final

import torch

from gradwatch_agent.diagnosis.graphless.callees import Own, callee_of, own_function
from gradwatch_agent.diagnosis.graphless.living import requires_gradient
from gradwatch_agent.diagnosis.graphless.modules import (
    children_of,
    is_module,
    own_weights,
    weights_of,
)
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot, arguments
from gradwatch_agent.diagnosis.graphless.standing import Standing, bare, standing
from gradwatch_agent.diagnosis.graphless.stepping_in import of_hooks, of_marked
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.ways import (
    GRAPH,
    NOTHING,
    UNKNOWN,
    Fate,
    Trained,
    Way,
    Why,
    cuts,
    is_bare,
    together,
    trained_by,
)
from gradwatch_agent.naming.slots import MISSING, attribute_of
from gradwatch_agent.source.bindings import Part
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.severing import FACTORIES, is_false
from gradwatch_agent.source.statements import results_of
from gradwatch_agent.source.switching import applied, is_mode, is_off

_DEPTH: Final = 24
"""Functions, one called within the other."""


def of_call(tracing: Tracing, call: ast.Call, spot: Spot, part: Part) -> list[Way]:
    """Where the ways back from what is called end."""
    if isinstance(call.func, ast.Call) and isinstance(call.func.func, ast.Call):
        return _in_a_mode(tracing, call, call.func, spot, part)
    if isinstance(call.func, Standing) and isinstance(call.func.value, list):
        return _of_sequence(tracing, call.func.value, call, spot, part)
    callee = callee_of(call, spot.scene, tracing.files)
    if callee.functions and _depth(spot) < _DEPTH:
        ways = [w for own in callee.functions for w in of_function(tracing, own, call, spot, part)]
        return ways + [w for m in callee.modules for w in of_module(tracing, m, call, spot, part)]
    if callee.modules:
        return together(of_module(tracing, m, call, spot, part) for m in callee.modules)
    name = called(call)
    if name in ("checkpoint", "checkpoint_sequential"):
        return _of_checkpoint(tracing, call, spot, part)
    if name == "DataLoader" and (drawn := _of_loader(tracing, call, spot, part)):
        return drawn
    if name in FACTORIES or name in ("Parameter", "requires_grad_"):
        return _of_new(call)
    fields = dict(zip(_fields(spot.scene.meant(call.func)), call.args, strict=False))
    named = {keyword.arg: keyword.value for keyword in call.keywords} | fields
    if part and part[0] in named:  # a field of a record that is made there
        return tracing.trace(named[str(part[0])], spot, part[1:])
    if part and type(part[0]) is int and 0 <= part[0] < len(fields):
        return tracing.trace(list(fields.values())[part[0]], spot, part[1:])
    if name in ("parameters", "named_parameters") and isinstance(call.func, ast.Attribute):
        return tracing.of_weights(call.func.value, spot) or list(UNKNOWN)
    if not callee.is_library:
        return list(UNKNOWN)
    own = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    given = call.args[1:] if name == "functional_call" else [*own, *call.args]
    ways = together(tracing.trace(each, spot) for each in [*given, *named.values()])
    if (marked := of_marked(tracing, call, spot, ways)) is not None:
        return [marked]
    # How many there are of what was cut off, `len(nonzero(scores > 0.5))`, may be meant for a loss.
    return (cuts(ways) or list(NOTHING)) if name == "len" else ways


def _in_a_mode(
    tracing: Tracing, call: ast.Call, around: ast.Call, spot: Spot, part: Part
) -> list[Way]:
    """Of `torch.no_grad()(net)(x)`; else of what a call's result gives when it is called."""
    if not is_mode(around.func) or len(around.args) != 1:
        return list(UNKNOWN)
    inner = ast.Call(func=around.args[0], args=call.args, keywords=call.keywords)
    ways = tracing.trace(ast.copy_location(inner, call), spot, part)
    if is_bare(ways) or not is_off(around.func, spot.scene.truth):
        return ways
    return [Way(Fate.CUT, spot.scene.file, around, Why.MODE, trained=trained_by([ways]))]


def _fields(kind: Any) -> tuple[str, ...]:
    """The names of a record's fields, in the order in which they are given: as dataclasses and
    named tuples have them.
    """
    for each in type.__getattribute__(kind, "__mro__") if issubclass(type(kind), type) else ():
        names = type.__getattribute__(each, "__dict__").get("__match_args__")
        if type(names) is tuple and all(type(name) is str for name in names):
            return names
    return ()


def _of_new(call: ast.Call) -> list[Way]:
    wants = [k.value for k in call.keywords if k.arg == "requires_grad"]
    leaf = bool(wants) or called(call) in ("Parameter", "requires_grad_")
    return list(GRAPH if leaf and not any(map(is_false, wants)) else NOTHING)


def _of_loader(tracing: Tracing, call: ast.Call, spot: Spot, part: Part) -> list[Way]:
    """Of what its dataset gives, if that is one of the program's own."""
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg == "dataset")]
    return [way for each in given for way in tracing.given_by(spot.scene.meant(each), part)]


def _of_checkpoint(tracing: Tracing, call: ast.Call, spot: Spot, part: Part) -> list[Way]:
    """The reentrant form gives a graph only where something that it is given has one."""
    given = [each for each in call.args[1:] if not isinstance(each, ast.Constant)]
    inputs = together(tracing.trace(each, spot) for each in given)
    reentrant = any(k.arg == "use_reentrant" and not is_false(k.value) for k in call.keywords)
    if reentrant and is_bare(inputs):
        return [Way(Fate.CUT, spot.scene.file, spot.node, Why.REENTRANT, ast.unparse(call))]
    inner = ast.Call(func=call.args[0], args=given, keywords=[]) if call.args else call
    return tracing.trace(ast.copy_location(inner, call), spot, part)


def of_module(
    tracing: Tracing, module: torch.nn.Module, call: ast.Call, spot: Spot, part: Part
) -> list[Way]:
    """Of what is called on it: the program's own code, else by its weights."""
    trained = tracing.living.trained_of(module)
    tracing.modules[trained is Trained.YES].meet(module, call, spot)
    if hooked := of_hooks(tracing, module):
        return hooked
    own = own_function(attribute_of(module, "forward"), module, tracing.files)
    if own is not None and _depth(spot) < _DEPTH:
        return of_function(tracing, own, call, spot, part)
    if not tracing.enter_module(module):
        return []
    children = children_of(module)
    if type(module) is torch.nn.Sequential:
        return _of_sequence(tracing, children, call, spot, part)
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


def _is_frozen(module: torch.nn.Module) -> bool:
    weights = list(weights_of(module))
    return bool(weights) and not requires_gradient(weights)


def _of_sequence(
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


def _depth(spot: Spot) -> int:
    scene, depth = spot.scene, 0
    while scene.given and depth < _DEPTH:
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
    return (_of_a_module(tracing, owner, ways, spot) if is_module(owner) else ways) or list(UNKNOWN)


def _of_a_module(
    tracing: Tracing, module: torch.nn.Module, ways: list[Way], spot: Spot
) -> list[Way]:
    """Through what a module's own code calls: of one that nobody trains the call of it is told; of
    one that somebody trains in part, whatever is frozen there may be meant.
    """
    trained = tracing.living.trained_of(module)
    if trained is Trained.NO and _is_frozen(module):
        another = Way(Fate.UNKNOWN, spot.scene.file, spot.node, Why.ANOTHER, trained=trained)
        return [another, *(way for way in ways if way.why not in (Why.FROZEN, Why.ANOTHER))]
    if trained is Trained.YES:
        return [replace(w, why=Why.FROZEN) if w.why is Why.ANOTHER else w for w in ways]
    return ways
