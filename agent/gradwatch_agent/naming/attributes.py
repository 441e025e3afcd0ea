"""What an attribute or an element is, read without running any of the program's code."""

from __future__ import annotations

import ast
import functools
from typing import Any, Final

from gradwatch_agent.naming import containers, inside
from gradwatch_agent.naming.captured import arguments_of

MISSING: Final = object()


def step_to(value: Any, label: str) -> Any:
    """What the attribute or the element is; nothing of a property's or of a `__getattr__`'s."""
    if value is MISSING:
        return MISSING
    if label[0] == ".":
        return attribute_of(value, label[1:])
    if label[0] == "(":
        handed = issubclass(type(value), functools.partial)
        return arguments_of(value).get(label[1:-1], MISSING) if handed else MISSING
    key = ast.literal_eval(label[1:-1]) if not label[1:-1].isidentifier() else label[1:-1]
    value = containers.wrapped(value)
    if issubclass(type(value), dict):
        return dict.get(value, key, MISSING)
    if issubclass(type(value), containers.CONTAINERS) and type(key) is int:
        return next(iter(containers.elements(value)[key : key + 1]), MISSING)
    return attribute_of(value, str(key))


def attribute_of(value: Any, name: str) -> Any:
    """The object's own, or its class's; nothing that is computed. `MISSING` where it has none."""
    own = inside.own_attributes(value)
    if name in own:
        return own[name]
    for children in ("_modules", "_buffers", "_parameters"):
        named = own.get(children, {})
        if issubclass(type(named), dict) and name in dict.keys(named):
            return dict.get(named, name)
    for slot, content in inside.slots(value):
        if slot == name:
            return content
    for kind in type.__getattribute__(type(value), "__mro__"):
        if name in (body := inside.of_class(kind)):
            return body[name]
    kinds = type.__getattribute__(value, "__mro__") if issubclass(type(value), type) else ()
    every = map(inside.of_class, kinds)
    return next((body[name] for body in every if name in body), MISSING)
