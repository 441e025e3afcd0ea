"""What an object holds, read without running any of its code.

Owns the knowledge of Python's own kinds of objects: where each keeps what it refers to. Whatever
can change is copied at once: other threads go on while it is read.
"""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any, Final

import torch

from gradwatch_agent.torch_seam import Context

MOST_ELEMENTS: Final = 4_096
"""Elements of one container looked at: the newest of them."""

PLAIN: Final = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    bytearray,
    types.ModuleType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.CodeType,
    types.FrameType,
    torch.dtype,
    torch.device,
    torch.Size,
    torch.Generator,
)

TEXTS: Final = frozenset((str, bytes, bytearray))

_LARGE: Final = 1_000_000

_OPAQUE: Final = frozenset(("functools", "itertools", "_queue", "_thread", "_functools"))
"""Modules whose objects are asked for what they refer to by the collector's way, as all are whose
types nobody can have written in Python."""

_INTERNAL: Final = frozenset(
    ("asyncio", "collections", "concurrent", "queue", "threading", "weakref")
)
"""Packages of whose objects no attribute is one that a user would write."""


def may_hold(value: Any) -> bool:
    """Whether a tensor could lie behind it, or it is much memory by itself. Most functions are code
    alone: of a big program they would use up a search.
    """
    if type(value) is types.FunctionType:
        kept = value.__closure__ or value.__defaults__ or value.__kwdefaults__ or value.__dict__
        return bool(kept)
    return not issubclass(type(value), PLAIN) or is_large(value)


def is_large(value: Any) -> bool:
    """Whether it is a text, or bytes, of the size of a tensor."""
    return type(value) in TEXTS and len(value) >= _LARGE


def own_attributes(value: Any) -> dict[str, Any]:
    """The object's __dict__, without running any code of its class."""
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return own if type(own) is dict else {}


def of_class(kind: type) -> Mapping[str, Any]:
    """What the body of a class has made, without running any code of its metaclass."""
    own: Mapping[str, Any] = type.__getattribute__(kind, "__dict__")
    return own


def slots(value: Any) -> Iterator[tuple[str, Any]]:
    """What lies in the slots of its classes."""
    for kind in type.__getattribute__(type(value), "__mro__")[:-1]:
        own = of_class(kind)
        names = own.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            slot = own.get(name)
            if type(slot) is types.MemberDescriptorType:
                try:
                    yield name, slot.__get__(value)
                except AttributeError:
                    continue  # empty


def made_with(error: BaseException) -> tuple[Any, ...]:
    """What an exception was given: it keeps all of it, whatever its class does with it."""
    given: tuple[Any, ...] = vars(BaseException)["args"].__get__(error)
    return given


def parts(value: Any) -> list[Any]:
    """What lies in an object's own attributes, slots included, and an exception's arguments."""
    given = made_with(value) if issubclass(type(value), BaseException) else ()
    return [*own_attributes(value).values(), *(item for _, item in slots(value)), *given]


def referents(value: Any) -> list[Any]:
    """What an object written in C refers to: a cache's results, an iterator's list."""
    kind = type(value)
    flags = type.__getattribute__(kind, "__flags__")
    made_at_run_time = flags & _HEAP and not flags & _IMMUTABLE
    if (
        made_at_run_time
        and type.__getattribute__(kind, "__dict__").get("__module__") not in _OPAQUE
    ):
        return []
    own = own_attributes(value)  # each has its name already
    found = [item for item in gc.get_referents(value) if item is not own]
    if len(found) > 2 * MOST_ELEMENTS:
        found = found[-2 * MOST_ELEMENTS :]
    return [item for item in found if may_hold(item) and not issubclass(type(item), SHARED)]


_HEAP: Final = 1 << 9
_IMMUTABLE: Final = 1 << 8
"""The flags of types that were made at run time, and of those that cannot be changed then: C's
own, which have been made so since 3.12."""

SHARED: Final = (type, types.FunctionType, types.MethodType)
"""What belongs to the program, not to the object that refers to it."""


def is_internal(kind: type) -> bool:
    """Whether attributes of such objects are a library's inside: no user would write them."""
    module = type.__getattribute__(kind, "__module__")
    return isinstance(module, str) and module.partition(".")[0] in _INTERNAL


def is_of_typing(kind: type) -> bool:
    """Whether such objects are annotations: `Literal` keeps all that it was ever asked for, the
    whole process's. A class that implements a protocol is none.
    """
    is_typings = type.__getattribute__(kind, "__module__") == "typing"
    return is_typings and not issubclass(kind, type)


def is_the_agents(kind: type) -> bool:
    """Whether it is a class of our own: what the agent keeps is not the program's."""
    module = type.__getattribute__(kind, "__module__")
    return isinstance(module, str) and module.partition(".")[0] == __name__.partition(".")[0]


def is_context(kind: type) -> bool:
    """Whether objects of the type are the ctx of a custom Function, which is its node."""
    return Context in type.__getattribute__(kind, "__mro__")


def is_node(kind: type) -> bool:
    """Whether objects of the type are autograd nodes."""
    own = type.__getattribute__(kind, "__dict__")
    return is_context(kind) or ("_sequence_nr" in own and "next_functions" in own)


def file_of(kind: type) -> str:
    """The file of the module that defines a class."""
    return file_of_module(sys.modules.get(type.__getattribute__(kind, "__module__")))


def file_of_module(module: Any) -> str:
    """Its file, if it is a module and has one; a lazy module is not made to load."""
    if not issubclass(type(module), types.ModuleType):
        return ""
    file = types.ModuleType.__getattribute__(module, "__dict__").get("__file__")
    return file if isinstance(file, str) else ""
