"""What a name stands for from moment to moment: the tensors with a graph that arrive there.

Reads live frames without running any of the program's code. Must not know who asks, or why.
"""

from __future__ import annotations

import ast
import contextlib
import sys
import types
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

import torch

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming import containers, inside
from gradwatch_agent.naming.frames import Locals, live
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.torch_seam import graph_of, has_readable_node

_NEWEST: Final = 128
_OLDEST: Final = 32
"""Elements of one container that are looked at, from either end."""

_MOST: Final = 512
"""Objects looked at behind one name."""

_MOST_LINKED: Final = 20_000
"""Elements of a linked list that are counted; some 40 ms."""

_DEPTH: Final = 8
"""Steps from the thing to a tensor in it."""

_OF_THE_PROGRAM: Final = (
    type,
    types.MethodType,
    types.GeneratorType,
    types.CoroutineType,
    types.AsyncGeneratorType,
)
"""What holds the program's own variables: they have names of their own."""

MISSING: Final = object()

Arrived = frozenset[tuple[int, int]]
"""Tensors by their address and the version of their content."""


class Slot:
    """The place where a way leads: as far as its steps have names."""

    def __init__(self, path: Path) -> None:
        steps = list(path.back())[::-1]
        self._root = steps[0].named
        self._labels: list[str] = []
        for step in steps[1:]:
            if not step.label or step.label == "[...]":
                break
            self._labels.append(step.label)
        self._code: types.CodeType | None = None
        """Of the function whose variable the way begins with, once a frame of it was entered."""
        self._base: Any = MISSING
        self._globals: dict[str, Any] = {}
        function = steps[0].behind
        self._function = Slot(function) if function is not None and _is_named(function) else None
        """Where the function is whose own the variable is: closed over, or a default."""

    def enter(self, frame: types.FrameType, local: dict[str, Any]) -> bool:
        """Takes what the variable stands for now, where it is one that the frame sees."""
        code, root = frame.f_code, self._root
        if self._function is not None:
            self._function.enter(frame, local)
        if code.co_filename != root.file or not root.line:
            return False
        if code.co_firstlineno == root.line:
            self._code = code
        elif not self._shares(code, root.name, root.line):
            return False
        self._base = local.get(root.name, MISSING)
        return True

    def _shares(self, code: types.CodeType, name: str, line: int) -> bool:
        """Whether the variable of that name is the same one: of a function around, or within. Any
        method may have a `self`, and share it with a comprehension of its own.
        """
        if name in code.co_cellvars:
            return any(inner.co_firstlineno == line for inner in _within(code))
        mine = self._code
        return name in code.co_freevars and mine is not None and code in _within(mine)

    def begin(self) -> None:
        """A module's own variable is seen from anywhere."""
        if not self._root.line:
            found = (names for file, names in own_modules() if file == self._root.file)
            self._globals = next(found, {})
        if self._function is not None:
            self._function.begin()

    def clear(self) -> None:
        """Lets go of what it has taken."""
        self._base, self._globals, self._code = MISSING, {}, None
        if self._function is not None:
            self._function.clear()

    def tensors(self) -> Arrived:
        """Those with a graph that are there now."""
        return frozenset(_tensors(self.value()))

    def size(self) -> int | None:
        """How many elements the collection there has now; None if there is none."""
        value = containers.wrapped(self.value())
        return containers.size_of(value) if issubclass(type(value), containers.CONTAINERS) else None

    def value(self) -> Any:
        """What is there now."""
        value = self._globals.get(self._root.name, self._base)
        if value is MISSING and self._function is not None:
            value = _own_of(self._function.value()).get(self._root.name, MISSING)
        for label in self._labels:
            value = _step(value, label)
        return value


def _is_named(path: Path) -> bool:
    """Whether the names alone lead there."""
    return all(step.label and step.label != "[...]" for step in path.back())


def _own_of(function: Any) -> dict[str, Any]:
    """The variables that are a function's own, whether it runs or not."""
    if type(function) is not types.FunctionType:
        return {}
    return {**inside.closed_over(function), **inside.defaults_of(function)}


def _within(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of all functions that are made in this one."""
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield inner
            yield from _within(inner)


def size_at(path: Path) -> int | None:
    """How many elements the collection has now that the way leads to; None if that is not found
    by the names alone.
    """
    with _found(path) as slot:
        return slot.size() if slot is not None else None


def value_at(path: Path) -> Any:
    """What the way leads to now; None if that is not found by the names alone."""
    with _found(path) as slot:
        value = slot.value() if slot is not None else MISSING
        return value if value is not MISSING else None


def linked_at(path: Path) -> int:
    """How many things lie one behind the other, from the one that the way's last attribute leads to
    on, by that attribute.
    """
    with _found(path) as slot:
        value, count = slot.value() if slot is not None else MISSING, 0
        while value is not MISSING and value is not None and count < _MOST_LINKED:
            value, count = attribute_of(value, path.name), count + 1
        return count


def numbers_beside(way: Sequence[Path]) -> bool:
    """Whether plain numbers lie where a tensor does, of all elements of the collections on the way
    from its first step, a name's, to it. A tuple's elements are no many of a kind.
    """
    with _found(way[0]) as slot:
        things = [slot.value()] if slot is not None else []
        for step in way[1:]:
            things = [part for thing in things for part in _like(thing, step.label)][:_MOST]
        return any(type(thing) in (int, float) for thing in things)


def are_tensors(container: Path, label: str) -> bool:
    """Whether that step leads to a tensor from each of the elements that are looked at, the oldest
    and the newest.
    """
    with _found(container) as slot:
        whole = containers.wrapped(slot.value()) if slot is not None else None
        known = issubclass(type(whole), containers.CONTAINERS)
        parts = [_step(each, label) for each in (_ends_of(whole) if known else ())]
        return bool(parts) and all(issubclass(type(part), torch.Tensor) for part in parts)


def _like(value: Any, label: str) -> list[Any]:
    """What the step leads to, and what as well might have been meant."""
    value = containers.wrapped(value)
    if issubclass(type(value), tuple) or not issubclass(type(value), containers.CONTAINERS):
        return [_step(value, label)]
    return _ends_of(value)


def _ends_of(container: Any) -> list[Any]:
    """Its oldest elements and its newest."""
    items = containers.elements(container)
    return [*items[:_OLDEST], *items[-_OLDEST:]]


@contextlib.contextmanager
def _found(path: Path) -> Iterator[Slot | None]:
    """The place, entered; None where the names alone do not lead there."""
    if not _is_named(path):
        yield None
        return
    slot, local = Slot(path), Locals()
    try:
        slot.begin()
        for frame in live(sys._getframe()):  # noqa: SLF001
            slot.enter(frame, local.of(frame))
        yield slot
    finally:  # the frames keep what was read of them
        slot.clear()
        local.clear()


def _step(value: Any, label: str) -> Any:
    """What the attribute or the element is; nothing of a property's or of a `__getattr__`'s."""
    if value is MISSING:
        return MISSING
    if label[0] == ".":
        return attribute_of(value, label[1:])
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


def _tensors(value: Any) -> Iterator[tuple[int, int]]:
    """By their address and version; nothing of the rest."""
    waiting = [(value, _DEPTH)]
    seen: set[int] = set()
    while waiting and len(seen) < _MOST:
        value, depth = waiting.pop()
        kind = type(value)
        if id(value) in seen or not inside.may_hold(value):
            continue
        seen.add(id(value))
        if issubclass(kind, torch.Tensor):
            if has_readable_node(value) and graph_of(value) is not None:
                yield id(value), value._version  # noqa: SLF001
        elif inside.is_node(kind):
            yield id(value), 0
        elif depth:
            waiting.extend((part, depth - 1) for part in _parts(value))


def _parts(value: Any) -> Iterator[Any]:
    kind = type(value)
    if issubclass(kind, containers.CONTAINERS):
        items = containers.elements(value)
        return chain(items[:_OLDEST], items[max(len(items) - _NEWEST, _OLDEST) :])
    if issubclass(kind, _OF_THE_PROGRAM):
        return iter(())
    if issubclass(kind, types.FunctionType):
        own = is_own(value.__code__.co_filename)  # its variables have names of their own
        return iter(() if own else map(inside.content, value.__closure__ or ()))
    attributes = [item for _, item in inside.slots(value)]
    return chain(list(inside.own_attributes(value).values()), attributes, inside.referents(value))
