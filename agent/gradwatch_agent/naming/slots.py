"""The place where a way leads, from moment to moment: what is there, the tensors that arrive.

Is given the live frames, and reads them without running any of the program's code. Must not know
who asks, or why.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import torch

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming import containers, inside
from gradwatch_agent.naming.attributes import MISSING, step_to
from gradwatch_agent.naming.captured import closed_over, content, defaults_of
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.torch_seam import graph_of, has_readable_node

_NEWEST: Final = 128
_OLDEST: Final = 32
"""Elements of one container that are looked at, from either end."""

_MOST: Final = 512
"""Objects looked at behind one name."""

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
        self._function = Slot(function) if function is not None and is_named(function) else None
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
            value = step_to(value, label)
        return value


def is_named(path: Path) -> bool:
    """Whether the names alone lead there: no key is of a kind that is not known."""
    return all(step.label and step.label != "[...]" for step in path.back())


def _own_of(function: Any) -> dict[str, Any]:
    """The variables that are a function's own, whether it runs or not."""
    if type(function) is not types.FunctionType:
        return {}
    return {**closed_over(function), **defaults_of(function)}


def _within(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of all functions that are made in this one."""
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield inner
            yield from _within(inner)


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
        return iter(() if own else map(content, value.__closure__ or ()))
    attributes = [item for _, item in inside.slots(value)]
    return chain(list(inside.own_attributes(value).values()), attributes, inside.referents(value))
