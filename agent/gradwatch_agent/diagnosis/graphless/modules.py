"""What a module is made of, read without running any of the program's code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import torch

from gradwatch_agent.naming.attributes import attribute_of

_MOST: Final = 4_096
"""Modules within one."""


def is_module(value: Any) -> bool:
    """Whether it is one, whatever it says of its class."""
    return issubclass(type(value), torch.nn.Module)


def children_of(module: Any) -> list[torch.nn.Module]:
    """Those that lie in it."""
    named = attribute_of(module, "_modules")
    return [each for each in _values(named) if is_module(each)]


def labelled_children(module: Any) -> list[tuple[str, torch.nn.Module]]:
    """The same, each with the step that leads to it, as code: `.encoder`, `[0]`."""
    named = attribute_of(module, "_modules")
    every = dict.items(named) if issubclass(type(named), dict) else ()
    return [
        (f"[{name}]" if name.isdecimal() else f".{name}", each)
        for name, each in every
        if type(name) is str and is_module(each)
    ]


def own_weights(module: Any) -> list[torch.Tensor]:
    """Its own parameters."""
    named = attribute_of(module, "_parameters")
    return [each for each in _values(named) if issubclass(type(each), torch.Tensor)]


def weights_of(module: Any) -> Iterator[torch.Tensor]:
    """All parameters, those of what lies in it, too."""
    waiting, seen = [module], {id(module)}
    while waiting:
        here = waiting.pop()
        yield from own_weights(here)
        new = [each for each in children_of(here) if id(each) not in seen]
        seen.update(map(id, new))
        waiting += new if len(seen) < _MOST else []


def kinds_of(value: Any) -> tuple[str, ...]:
    """The names of its class and of that one's bases."""
    mro = type.__getattribute__(type(value), "__mro__")
    return tuple(type.__getattribute__(kind, "__name__") for kind in mro)


def _values(named: Any) -> list[Any]:
    return list(dict.values(named)) if issubclass(type(named), dict) else []
