"""The ways back through a call: into the program's own functions, and through a library's."""

from __future__ import annotations

import ast
from typing import Any

from gradwatch_agent.diagnosis.graphless.callees import callee_of
from gradwatch_agent.diagnosis.graphless.functions import DEPTH, depth_of, of_function
from gradwatch_agent.diagnosis.graphless.scene import Spot
from gradwatch_agent.diagnosis.graphless.standing import Standing
from gradwatch_agent.diagnosis.graphless.stepping_in import of_marked
from gradwatch_agent.diagnosis.graphless.through import of_module, of_sequence
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.ways import (
    GRAPH,
    NOTHING,
    UNKNOWN,
    Fate,
    Way,
    Why,
    cuts,
    is_bare,
    together,
    trained_by,
)
from gradwatch_agent.source.flow.bindings import Part
from gradwatch_agent.source.gradients.severing import FACTORIES, is_false
from gradwatch_agent.source.gradients.switching import is_mode, is_off
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import methods_of


def of_call(tracing: Tracing, call: ast.Call, spot: Spot, part: Part) -> list[Way]:
    """Where the ways back from what is called end."""
    if isinstance(call.func, ast.Call) and isinstance(call.func.func, ast.Call):
        return _in_a_mode(tracing, call, call.func, spot, part)
    if isinstance(call.func, Standing) and isinstance(call.func.value, list):
        return of_sequence(tracing, call.func.value, call, spot, part)
    callee = callee_of(call, spot.scene, tracing.files)
    if callee.functions and depth_of(spot) < DEPTH:
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
    kind = spot.scene.meant(call.func)
    if part and (given := _fields(kind, call).get(part[0])) is not None:
        return tracing.trace(given, spot, part[1:])
    if part and any(methods_of(name, "__init__", tracing.files)):
        return list(UNKNOWN)  # not of all that it is given: its constructor tells what of it is
    if name in ("parameters", "named_parameters") and isinstance(call.func, ast.Attribute):
        return tracing.of_weights(call.func.value, spot) or list(UNKNOWN)
    return _of_librarys(tracing, call, spot) if callee.is_library else list(UNKNOWN)


def _of_librarys(tracing: Tracing, call: ast.Call, spot: Spot) -> list[Way]:
    """What it gives is made of what it is given."""
    own = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    given = call.args[1:] if called(call) == "functional_call" else call.args
    every = [*given, *(keyword.value for keyword in call.keywords)]
    ways = together(
        (
            *(tracing.trace(each, spot) for each in own if called(call) != "functional_call"),
            *(tracing.of_weights(each, spot) or tracing.trace(each, spot) for each in every),
        )
    )
    if (marked := of_marked(tracing, call, spot, ways)) is not None:
        return [marked]
    # How many there are of what was cut off, `len(nonzero(scores > 0.5))`, may be meant for a loss.
    return (cuts(ways) or list(NOTHING)) if called(call) == "len" else ways


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


def _fields(kind: Any, call: ast.Call) -> dict[object, ast.expr]:
    """What is given to the fields of a record that is made there, by their names and, of one whose
    class tells their order as dataclasses and named tuples do, by their places.
    """
    given: dict[object, ast.expr] = {each.arg: each.value for each in call.keywords if each.arg}
    for each in type.__getattribute__(kind, "__mro__") if issubclass(type(kind), type) else ():
        names = type.__getattribute__(each, "__dict__").get("__match_args__")
        if type(names) is tuple and all(type(name) is str for name in names):
            return given | dict(zip(names, call.args, strict=False)) | dict(enumerate(call.args))
    return given


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
