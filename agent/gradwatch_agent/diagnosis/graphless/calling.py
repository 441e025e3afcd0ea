"""The ways back through a call: into the program's own functions, and through a library's."""

from __future__ import annotations

import ast
import functools
import inspect
import types
from collections.abc import Iterator
from typing import Any, Final

import torch

from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot, arguments
from gradwatch_agent.diagnosis.graphless.tracing import Tracing
from gradwatch_agent.diagnosis.graphless.ways import (
    GRAPH,
    NOTHING,
    UNKNOWN,
    Fate,
    Way,
    Why,
    is_bare,
    together,
)
from gradwatch_agent.naming.slots import MISSING, attribute_of
from gradwatch_agent.source.bindings import Part
from gradwatch_agent.source.reading import called, dotted
from gradwatch_agent.source.severing import FACTORIES, is_false
from gradwatch_agent.source.statements import Function, body_around, functions_named, results_of

_DEPTH: Final = 24
"""Functions, one called within the other."""

_LIBRARIES: Final = ("torch", "F", "nn", "functional", "np", "math")


def of_call(tracing: Tracing, call: ast.Call, spot: Spot, part: Part) -> list[Way]:
    """Where the ways back from what is called end."""
    name, meant = called(call), spot.scene.meant(call.func)
    if name in FACTORIES or name == "Parameter":
        wants = [k.value for k in call.keywords if k.arg == "requires_grad"]
        leaf = bool(wants) or name == "Parameter"
        return list(GRAPH if leaf and not any(map(is_false, wants)) else NOTHING)
    if name == "requires_grad_":
        return list(GRAPH)
    if name == "functional_call":
        return _of_operands(tracing, call.args[1:], call, spot)
    if name in ("checkpoint", "checkpoint_sequential"):
        return _of_checkpoint(tracing, call, spot, part)
    if isinstance(meant, torch.nn.Module):
        return of_module(tracing, meant, call, spot, part)
    functions = _functions(tracing, call, meant)
    if functions and _depth(spot) < _DEPTH:
        return [w for f in functions for w in _of_function(tracing, f, call, spot, part)]
    own = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    if part and part[0] in named:  # a field of a record that is made there
        return tracing.trace(named[str(part[0])], spot, part[1:])
    return _of_operands(tracing, [*own, *call.args], call, spot)


def _of_operands(
    tracing: Tracing, operands: list[ast.expr], call: ast.Call, spot: Spot
) -> list[Way]:
    every = [*operands, *(keyword.value for keyword in call.keywords)]
    library = [each for each in every if (dotted(each) or "").partition(".")[0] in _LIBRARIES]
    return together(tracing.trace(each, spot) for each in every if each not in library)


def _of_checkpoint(tracing: Tracing, call: ast.Call, spot: Spot, part: Part) -> list[Way]:
    """The reentrant form gives a graph only where something that it is given has one."""
    given = [each for each in call.args[1:] if not isinstance(each, ast.Constant)]
    inputs = together(tracing.trace(each, spot) for each in given)
    reentrant = any(k.arg == "use_reentrant" and not is_false(k.value) for k in call.keywords)
    if reentrant and is_bare(inputs):
        code = ast.unparse(call)
        return [Way(Fate.CUT, spot.scene.file, spot.node, Why.REENTRANT, code)]
    inner = ast.Call(func=call.args[0], args=given, keywords=[]) if call.args else call
    return tracing.trace(ast.copy_location(inner, call), spot, part)


def of_module(
    tracing: Tracing, module: torch.nn.Module, call: ast.Call, spot: Spot, part: Part
) -> list[Way]:
    """Of what is called on it: the program's own code, else by its weights."""
    stepped = any(id(weight) in tracing.living.stepped for weight in _weights(module))
    tracing.modules[stepped].meet(module, call, spot)
    forward = attribute_of(module, "forward")
    if _is_own(tracing, forward) and _depth(spot) < _DEPTH:
        return _of_function(tracing, (forward, module), call, spot, part)
    children = [each for each in attribute_of(module, "_modules").values() if each is not None]
    given = together(tracing.trace(each, spot) for each in call.args)
    if children:
        bare = ast.copy_location(ast.Call(func=call.func, args=[], keywords=[]), call)
        inner = [of_module(tracing, each, bare, spot, ()) for each in reversed(children)]
        own = [ways for ways in inner if not is_bare(ways)]
        return together([given, *own])
    weights = [w for w in attribute_of(module, "_parameters").values() if w is not None]
    if any(weight.requires_grad for weight in weights):
        return list(GRAPH)
    if weights:
        name = ast.unparse(call.func)
        if stepped:  # to be trained by itself, whatever it is given
            return [Way(Fate.CUT, spot.scene.file, spot.node, Why.FROZEN, name)]
        return [Way(Fate.UNKNOWN, spot.scene.file, spot.node, Why.FROZEN, name), *_cuts(given)]
    return given


def _weights(module: torch.nn.Module) -> Iterator[torch.Tensor]:
    """All of its parameters; no method of the program's is called."""
    waiting = [module]
    while waiting:
        here = waiting.pop()
        yield from (w for w in attribute_of(here, "_parameters").values() if w is not None)
        waiting += [each for each in attribute_of(here, "_modules").values() if each is not None]


def _cuts(ways: list[Way]) -> list[Way]:
    return [way for way in ways if way.fate is Fate.CUT]


def _depth(spot: Spot) -> int:
    scene, depth = spot.scene, 0
    while scene.given and depth < _DEPTH:
        scene, depth = next(iter(scene.given.values()))[1].scene, depth + 1
    return depth


def _is_own(tracing: Tracing, function: Any) -> bool:
    function = inspect.unwrap(function) if isinstance(function, types.FunctionType) else function
    return isinstance(function, types.FunctionType) and (
        function.__code__.co_filename in tracing.files
    )


def _functions(tracing: Tracing, call: ast.Call, meant: Any) -> list[tuple[Any, Any]]:
    """The program's own that are called: the function, or its syntax and file, and its object."""
    owner = None
    if isinstance(meant, functools.partial):
        meant = meant.func
    if isinstance(meant, types.MethodType):
        meant, owner = meant.__func__, meant.__self__
    if isinstance(meant, staticmethod | classmethod):
        meant = meant.__func__
    if _is_own(tracing, meant):
        return [(meant, owner)]
    if meant is not MISSING and not isinstance(meant, type) and callable(meant):
        inner = attribute_of(meant, "__call__")
        return [(inner, meant)] if _is_own(tracing, inner) else []
    if meant is not MISSING or (dotted(call.func) or "").partition(".")[0] in _LIBRARIES:
        return []
    return [(found, None) for found in functions_named(called(call), tracing.files)]


def _of_function(
    tracing: Tracing, function: tuple[Any, Any], call: ast.Call, spot: Spot, part: Part
) -> list[Way]:
    """Of what it hands back, given what the call gives it."""
    meant, owner = function
    file, body = _source(meant)
    if body is None or isinstance(body, ast.Module):
        return list(UNKNOWN)
    scene = Scene(file, body)
    names = [each.arg for each in (*body.args.posonlyargs, *body.args.args)]
    if owner is None and names[:1] == ["self"] and isinstance(call.func, ast.Attribute):
        owner = spot.scene.meant(call.func.value)
    if owner is not None and names:
        scene.values[names[0]] = owner
    scene.given = arguments(body, call, spot, bound=owner is not None or None)
    if isinstance(meant, types.FunctionType):
        free = zip(meant.__code__.co_freevars, meant.__closure__ or (), strict=False)
        scene.values |= {name: cell.cell_contents for name, cell in free if _is_filled(cell)}
    ways: list[Way] = []
    for node, value in results_of(body):
        ways += tracing.enter(value, Spot(scene, node), part)
    return ways or list(NOTHING)


def _source(meant: Any) -> tuple[str, Function | ast.Lambda | ast.Module | None]:
    if isinstance(meant, tuple):
        return meant
    code = inspect.unwrap(meant).__code__
    return code.co_filename, body_around(code.co_filename, code.co_firstlineno)


def _is_filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not MISSING
    except ValueError:
        return False
