"""What a way leads to at this moment, as far as its names alone lead.

Reads live frames without running any of the program's code.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Any, Final

import torch

from gradwatch_agent.naming import containers
from gradwatch_agent.naming.attributes import MISSING, attribute_of, step_to
from gradwatch_agent.naming.frames import Locals, live
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.naming.slots import Slot, is_named
from gradwatch_agent.torch_seam import roots_of

_ENDS: Final = 32
"""Elements of one container that are looked at, from either end."""

_MOST: Final = 512
"""Objects looked at behind one name."""

_LEFT: Final = 4
"""Elements that one must have that nobody empties."""

_MOST_LINKED: Final = 20_000
"""Elements of a linked list that are counted; some 40 ms."""


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


def kinds_beside(way: Sequence[Path], spelled: Container[str] = ()) -> set[type]:
    """What lies where a tensor does, of all elements of the collections on the way from its first
    step, a name's, to it. A tuple's elements are no many of a kind, nor are those of a dict whose
    keys the program has `spelled` as it made it.
    """
    with _found(way[0]) as slot:
        things = [slot.value()] if slot is not None else []
        for step in way[1:-1]:
            found = (part for thing in things for part in _like(thing, step.label, spelled))
            things = list(itertools.islice(found, _MOST))
        last = way[-1].label if way[1:] else ""
        return set().union(*(_kinds_like(t, last, spelled) for t in things)) if last else set()


def containers_in(path: Path, labels: Iterable[str]) -> dict[str, str]:
    """Of the thing that the way leads to, which attributes are collections of tensors, by kind: a
    record's is its class's name.
    """
    with _found(path) as slot:
        whole = slot.value() if slot is not None else MISSING
        parts = ((label, step_to(whole, label)) for label in labels)
        return {
            label: type(part).__name__
            for label, part in parts
            if issubclass(type(part), containers.CONTAINERS)
        }


def is_left_alone(path: Path) -> bool:
    """Whether the container is the value of a key that nobody empties, beside others that are, of
    the same dict.
    """
    if path.parent is None or path.label[:2] != "['":
        return False
    with _found(path.parent) as slot:
        whole = slot.value() if slot is not None else None
        known = issubclass(type(whole), dict)
        every = containers.elements(whole) if known else []
        sizes = [
            containers.size_of(each)
            for each in every
            if issubclass(type(each), containers.CONTAINERS)
        ]
        return len(sizes) > 1 and sorted(sizes)[-2] <= 1 < _LEFT <= max(sizes)


def are_unlike(path: Path) -> bool:
    """Whether of what lies in the dict, list or tuple that the way leads to some is a collection,
    and some another, or none: `{"cell": (h, c), "gate": g, "steps": 3}`.
    """
    with _found(path) as slot:
        whole = containers.wrapped(slot.value()) if slot is not None else None
        known = issubclass(type(whole), dict | list | tuple)
        kinds = {type(part) for part in (_ends_of(whole) if known else ())}
        return len(kinds) > 1 and any(issubclass(kind, containers.CONTAINERS) for kind in kinds)


def is_partly(path: Path) -> bool:
    """Whether the way leads to a tuple of which some is no tensor: `(h, steps)`."""
    with _found(path) as slot:
        whole = slot.value() if slot is not None else None
        parts = _ends_of(whole) if type(whole) is tuple else ()
        return any(not issubclass(type(part), torch.Tensor) for part in parts)


def are_tensors(container: Path, label: str) -> bool:
    """Whether that step leads to a tensor from each of the elements that are looked at, the oldest
    and the newest.
    """
    with _found(container) as slot:
        whole = containers.wrapped(slot.value()) if slot is not None else None
        known = issubclass(type(whole), containers.CONTAINERS)
        parts = [step_to(each, label) for each in (_ends_of(whole) if known else ())]
        return bool(parts) and all(issubclass(type(part), torch.Tensor) for part in parts)


def alike(path: Path) -> list[str]:
    """For an attribute of an element, the elements of the same container, as code, by the same
    attribute of which a graph is kept: `states['red']`.
    """
    whole = path.parent.parent if path.parent is not None else None
    if whole is None or path.parent is None or not path.attribute or path.parent.label[:1] != "[":
        return []
    with _found(whole) as slot:
        holds = containers.wrapped(slot.value()) if slot is not None else None
        known = issubclass(type(holds), dict | list | tuple)
        every = containers.labelled(holds) if known else ()
        return [
            f"{whole.expression}{label}"
            for label, _, one in every
            if _has_graph(step_to(one, path.label))
        ]


def _has_graph(thing: Any) -> bool:
    """A tensor, or a list or a tuple of such."""
    several = issubclass(type(thing), list | tuple)
    parts = containers.elements(thing)[:_ENDS] if several else [thing]
    return any(roots_of(part for part in parts if issubclass(type(part), torch.Tensor)))


def _like(value: Any, label: str, spelled: Container[str]) -> list[Any]:
    """What the step leads to, and what as well might have been meant."""
    value = containers.wrapped(value)
    if label in spelled or not _is_of_many(value):
        return [step_to(value, label)]
    return _ends_of(value)


def _is_of_many(value: Any) -> bool:
    return not issubclass(type(value), tuple) and issubclass(type(value), containers.CONTAINERS)


def _kinds_like(value: Any, label: str, spelled: Container[str]) -> set[type]:
    """The same by their kinds, of all that a container holds."""
    value = containers.wrapped(value)
    if label in spelled or not _is_of_many(value):
        return {type(step_to(value, label))}
    return set(map(type, containers.elements(value)))


def _ends_of(container: Any) -> list[Any]:
    """Its oldest elements and its newest."""
    items = containers.elements(container)
    return [*items[:_ENDS], *items[-_ENDS:]]


@contextlib.contextmanager
def _found(path: Path) -> Iterator[Slot | None]:
    """The place, entered; None where the names alone do not lead there."""
    if not is_named(path):
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
