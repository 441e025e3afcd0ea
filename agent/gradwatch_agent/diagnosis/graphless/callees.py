"""What a call calls: the program's own functions, modules, a library's function, or who knows.

Reads without running any of the program's code.
"""

from __future__ import annotations

import ast
import functools
import re
import types
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

import torch

from gradwatch_agent.diagnosis.graphless.modules import is_module, kinds_of, modules_in
from gradwatch_agent.diagnosis.graphless.scene import Scene
from gradwatch_agent.naming.inside import content
from gradwatch_agent.naming.slots import MISSING, attribute_of
from gradwatch_agent.source.bindings import bindings
from gradwatch_agent.source.indexing import index
from gradwatch_agent.source.reading import base, called, dotted
from gradwatch_agent.source.scopes import first_line
from gradwatch_agent.source.statements import Function, body_around, functions_named

_WRITTEN_IN_C: Final = (
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
)

_MOST: Final = 3
"""Functions of one name, of which it is not known which is called."""

_ANY: Final = r"\w+"
"""The part of a name that is not known."""

_TENSORS: Final = frozenset(dir(torch.Tensor))
"""The names of its methods: what is called so on something not known is most likely one."""


@dataclass(frozen=True, slots=True)
class Own:
    """A function of the program's."""

    file: str
    body: Function
    owner: Any = MISSING
    """The object whose method it is."""
    closure: dict[str, Any] = field(default_factory=dict)


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
    return _meant(inner, meant, files) if type(inner) is types.FunctionType else Callee()


def own_function(function: Any, owner: Any, files: Collection[str]) -> Own | None:
    """The function, if it is one of the program's, beneath what a library decorates it with."""
    if type(function) is not types.FunctionType:
        return None
    for _ in range(_MOST):
        inner = function.__dict__.get("__wrapped__")
        if function.__code__.co_filename in files or type(inner) is not types.FunctionType:
            break
        function = inner
    code = function.__code__
    body = body_around(code.co_filename, code.co_firstlineno)
    if code.co_filename not in files or body is None or isinstance(body, ast.Module):
        return None
    if code.co_name == "<lambda>":
        return None
    cells = zip(code.co_freevars, function.__closure__ or (), strict=False)
    return Own(code.co_filename, body, owner, {name: content(cell) for name, cell in cells})


def _by_name(call: ast.Call, scene: Scene, files: Collection[str]) -> Callee:
    if modules := _drawn(call.func, scene):
        return Callee(modules=tuple(modules))
    if named := _by_its_name(call.func, scene, files):
        return Callee(functions=tuple(named))
    if isinstance(call.func, ast.Attribute) and _is_of_super(call):
        own = _above(call.func.attr, scene, files)
        return Callee(functions=(own,)) if own is not None else Callee()
    name = called(call)
    found = functions_named(name, files)
    if isinstance(call.func, ast.Attribute):
        root = (dotted(call.func) or "").partition(".")[0]
        of_tensor = name in _TENSORS and not _is_plain(name)
        if of_tensor or type(scene.value(root)) is types.ModuleType:
            return Callee(is_library=True)
    if found and len(found) <= _MOST:
        return Callee(functions=tuple(Own(file, body) for file, body in found))
    return Callee(is_library=name in _TENSORS and not found)


def _by_its_name(function: ast.expr, scene: Scene, files: Collection[str]) -> list[Own]:
    """The methods that may be meant by `getattr(self, f"{stage}_loss")`."""
    match function:
        case ast.Call(func=ast.Name(id="getattr"), args=[whose, name, *_]):
            owner = scene.meant(whose)
        case _:
            return []
    pattern = _spelled(name, scene)
    if owner is MISSING or not pattern.replace(_ANY, ""):
        return []
    methods: dict[str, Own] = {}
    for kind in type.__getattribute__(type(owner), "__mro__"):
        for key, value in type.__getattribute__(kind, "__dict__").items():
            if re.fullmatch(pattern, key) and key not in methods:
                own = own_function(value, owner, files)
                methods |= {key: own} if own is not None else {}
    return list(methods.values())[: 2 * _MOST]


def _spelled(name: ast.expr, scene: Scene) -> str:
    """A pattern for the name that is put together there."""
    match name:
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _spelled(left, scene) + _spelled(right, scene)
        case ast.JoinedStr(values=parts):
            return "".join(_spelled(part, scene) for part in parts)
        case ast.FormattedValue(value=inner):
            return _spelled(inner, scene)
    known = scene.meant(name)
    return re.escape(known) if type(known) is str else _ANY


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


def _drawn(function: ast.expr, scene: Scene) -> list[torch.nn.Module]:
    """The modules of a container one after another of which is called: `for layer in self.layers`,
    `self.heads[name]`.
    """
    if isinstance(function, ast.Subscript):
        return modules_in(scene.meant(base(function)))
    if isinstance(function, ast.Name):
        for each in bindings(scene.body, function.id, function.lineno)[0]:
            if found := modules_in(scene.meant(base(each.value))):
                return found
    return []
