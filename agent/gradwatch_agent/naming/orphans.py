"""Objects that keep themselves alive, by cycles through C++ where no collector sees them.

Owns which of all the program's objects are worth a look, and what a user calls them.
"""

from __future__ import annotations

import gc
import types
from typing import Any, Final

import torch

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.torch_seam import Context

_MOST_ORPHANS: Final = 4_096
"""Objects that no name leads to from which the search begins anew: the newest of them."""

_ORPHANS: Final = (
    types.FunctionType,
    types.MethodType,
    types.GeneratorType,
    types.CoroutineType,
    torch.Tensor,
    torch.nn.Parameter,
)
"""Kinds of objects that keep themselves alive through C++: hooks and what waits, gradients."""


def orphans() -> list[tuple[Any, Path]]:
    """Such objects of the user's, and how they are called; the newest of them."""
    kinds = {id(kind) for kind in (*_ORPHANS, *_all_below(Context))}
    some = [value for value in gc.get_objects() if id(type(value)) in kinds]
    ways = [(value, way) for value in some if (way := _way_to(value)) is not None]
    return ways[-_MOST_ORPHANS:]


def _way_to(value: Any) -> Path | None:
    """How an object is called that no name leads to; None for what is not the user's."""
    kind = type(value)
    if kind is types.FunctionType:
        return _coded(value.__code__) if value.__closure__ else None
    if kind is types.MethodType:
        code = getattr(value.__func__, "__code__", None)
        return _coded(code, (*code.co_varnames, "self")[0]) if code is not None else None
    if kind is types.GeneratorType:
        return _coded(value.gi_code)
    if kind is types.CoroutineType:
        return _coded(value.cr_code)
    if kind in (torch.Tensor, torch.nn.Parameter):
        return Path.of("p", "", via="a cycle through .grad") if _has_graded(value) else None
    return Path.of("ctx", "", via="a cycle: a ctx is a node of the graph itself")


def _all_below(kind: type) -> list[type]:
    """All classes that are made from one."""
    found: list[type] = type.__subclasses__(kind)
    return [*found, *(each for one in found for each in _all_below(one))]


def _coded(code: types.CodeType, name: str = "") -> Path | None:
    name = name or code.co_name
    return Path.of(name, code.co_filename) if is_own(code.co_filename) else None


def _has_graded(tensor: torch.Tensor) -> bool:
    """Whether it is a leaf whose gradient has a graph."""
    if not tensor.requires_grad or not tensor.is_leaf or tensor.grad is None:
        return False
    return tensor.grad.grad_fn is not None
