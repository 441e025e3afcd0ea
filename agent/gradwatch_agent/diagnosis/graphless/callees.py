"""What a call calls: the program's own functions, modules, a library's function, or who knows.

Reads without running any of the program's code.
"""

from __future__ import annotations

import ast
import functools
import types
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

import torch

from gradwatch_agent.diagnosis.graphless.meanings import meanings
from gradwatch_agent.diagnosis.graphless.modules import is_module, kinds_of
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot
from gradwatch_agent.naming.attributes import MISSING, attribute_of
from gradwatch_agent.naming.captured import content
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.gradients.switching import is_mode
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.syntax.reading import called, dotted
from gradwatch_agent.source.syntax.scopes import first_line
from gradwatch_agent.source.syntax.statements import (
    Body,
    Function,
    body_around,
    lambda_at,
)

_WRITTEN_IN_C: Final = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)

_MODES: Final = torch.utils._contextlib.__file__  # noqa: SLF001
"""Where torch lays `no_grad` around a function."""

_MOST: Final = 3
"""Functions of one name, of which it is not known which is called."""

_TENSORS: Final = frozenset(dir(torch.Tensor))
"""The names of its methods: what is called so on something not known is most likely one."""


@dataclass(frozen=True, slots=True)
class Own:
    """A function of the program's."""

    file: str
    body: Function | ast.Lambda
    owner: Any = MISSING
    """The object whose method it is."""
    closure: dict[str, Any] = field(default_factory=dict)
    in_a_mode: bool = False
    """Whether one of torch's modes was laid around it by a call."""


@dataclass(frozen=True, slots=True)
class Callee:
    """What is called."""

    functions: tuple[Own, ...] = ()
    modules: tuple[torch.nn.Module, ...] = ()
    is_library: bool = False
    """Neither: what it gives is made of what it is given."""


def callee_of(call: ast.Call, scene: Scene, files: Collection[str]) -> Callee:
    """What the call calls there; of nothing known, an empty one."""
    meant = scene.meant(call.func)
    if meant is MISSING:
        return _by_name(call, scene, files)
    owner = scene.meant(call.func.value) if isinstance(call.func, ast.Attribute) else MISSING
    return _meant(meant, owner, files)


def _meant(meant: Any, owner: Any, files: Collection[str]) -> Callee:
    kind = type(meant)
    if kind is functools.partial:
        return _meant(meant.func, MISSING, files)
    if kind is types.MethodType:
        return _meant(meant.__func__, meant.__self__, files)
    if kind is staticmethod or kind is classmethod:
        return _meant(meant.__func__, MISSING, files)
    if is_module(meant):
        return Callee(modules=(meant,))
    if kind is types.FunctionType:
        own = own_function(meant, owner, files)
        foreign = meant.__code__.co_filename not in files
        return Callee(functions=(own,)) if own is not None else Callee(is_library=foreign)
    if issubclass(kind, (type, *_WRITTEN_IN_C)):
        return Callee(is_library=True)
    inner = attribute_of(meant, "__call__")
    if type(inner) is types.FunctionType:
        return _meant(inner, meant, files)
    return Callee(is_library=True)  # that is written in C


def own_function(function: Any, owner: Any, files: Collection[str]) -> Own | None:
    """The function, if it is one of the program's, beneath what a library decorates it with."""
    if type(function) is not types.FunctionType:
        return None
    in_a_mode = False
    for _ in range(_MOST):
        inner = function.__dict__.get("__wrapped__")
        if function.__code__.co_filename in files or type(inner) is not types.FunctionType:
            break
        in_a_mode = in_a_mode or function.__code__.co_filename == _MODES
        function = inner
    code = function.__code__
    body: Body | ast.Lambda | None = body_around(code.co_filename, code.co_firstlineno)
    if code.co_name == "<lambda>":
        body = lambda_at(code.co_filename, code.co_firstlineno)
    if code.co_filename not in files or body is None or isinstance(body, ast.Module):
        return None
    cells = zip(code.co_freevars, function.__closure__ or (), strict=False)
    closure = {name: content(cell) for name, cell in cells}
    in_a_mode = in_a_mode and not any(map(is_mode, getattr(body, "decorator_list", ())))
    return Own(code.co_filename, body, owner, closure, in_a_mode)


def _by_name(call: ast.Call, scene: Scene, files: Collection[str]) -> Callee:
    guessed = _guessed(call, scene, files)
    if guessed is not None:
        return guessed
    if isinstance(call.func, ast.Attribute) and _is_of_super(call):
        own = _above(call.func.attr, scene, files)
        return Callee(functions=(own,)) if own is not None else Callee()
    name = called(call)
    found = callees(call, files)
    if isinstance(call.func, ast.Attribute):
        root = (dotted(call.func) or "").partition(".")[0]
        of_tensor = name in _TENSORS and not _is_plain(name)
        if of_tensor or not found or type(scene.value(root)) is types.ModuleType:
            return Callee(is_library=True)  # of an object that is not the program's
    if found and len(found) <= _MOST:
        return Callee(functions=tuple(Own(file, body) for file, body in found))
    return Callee(is_library=name in _TENSORS and not found)


def _guessed(call: ast.Call, scene: Scene, files: Collection[str]) -> Callee | None:
    """By all that may be called there; None where nothing of that is known, or too much."""
    named = {id(each): each for each in meanings(call.func, Spot(scene, call), files)}
    every = [_meant(each, MISSING, files) for each in named.values()]
    modules = [module for each in every for module in each.modules]
    functions = [own for each in every for own in each.functions]
    if not (functions or modules) or len(functions) > 2 * _MOST:
        return None
    return Callee(tuple(functions), tuple(modules))


def _is_plain(name: str) -> bool:
    """Whether a tensor's method has a name that the program's own may well have, too."""
    return name in ("sample", "update", "apply", "to", "backward", "normal", "forward")


def _is_of_super(call: ast.Call) -> bool:
    """Whether it is `super().forward(x)`."""
    inner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(inner, ast.Call) and called(inner) == "super"


def _above(name: str, scene: Scene, files: Collection[str]) -> Own | None:
    """The method that `super()` leads to."""
    owner = scene.value("self")
    scope = index(scene.file).scopes.get(first_line(scene.body)) if not scene.is_module else None  # type: ignore[arg-type]
    if owner is MISSING or scope is None or scope.owner not in kinds_of(owner):
        return None
    mro = type.__getattribute__(type(owner), "__mro__")
    for kind in mro[kinds_of(owner).index(scope.owner) + 1 :]:
        method = type.__getattribute__(kind, "__dict__").get(name)
        if type(method) is types.FunctionType:
            return own_function(method, owner, files)
    return None
