"""How many graphs a container may come to hold rightly, told by how it is made.

A container that only grows has no room: what it holds is a leak as soon as it is told apart from
chance. One that replaces what it holds, or throws out what is old, is bounded, and no leak until
it holds more than it ever should. Must not know graphs.
"""

from __future__ import annotations

import ast
import sys
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from itertools import islice, pairwise
from typing import Any, Final

import torch

from gradwatch_agent.naming.buffers import Buffer
from gradwatch_agent.naming.containers import newest_key, size_of
from gradwatch_agent.source.stored.stores import Store, attribute, stores

ELSEWHERE: Final = 128
"""Room of what is spread over many names, or of a container that something is taken out of: the
longest windows that people keep. More is worth a word even if it is bounded."""

EMPTIED: Final = 64
"""Room of what the program empties now and then, nobody knows when: the batches of an epoch."""

KEYS: Final = 24
"""Room of a dict so far filled in order, or of an object's attributes: they may be tasks, of which
there are some."""

_MOST: Final = 256
"""A bound beyond this is none: a graph costs more than a number."""

_OLDEST: Final = 3
"""Keys of a dict that are looked at."""

_OF_A_PART: Final = 4
"""References to an element that a key alone has: its own, our two variables, the count's."""

_OF_A_KEY: Final = _OF_A_PART + 1
"""The same of a key that the dict alone has: our list's too."""

_BY_IDENTITY: Final[tuple[Any, ...]] = (object.__hash__, torch.Tensor.__hash__)
"""How keys are hashed that are equal to none but themselves."""

_BESIDES: Final = 3
"""What the loop's own variables may hold besides a store."""


def room_in(container: Collection[Any], places: Sequence[tuple[int, int]], *, grows: bool) -> int:
    """Of one that holds several generations, and of which nobody knows how many it may come to
    hold. `places`: where it does, and the newest there; `grows`: it has more elements than it had.
    """
    kind, size = type(container), size_of(container)
    generations = [generation for _, generation in places]
    if issubclass(kind, dict):
        return _room_in_dict(container) if _ascend(generations) else ELSEWHERE
    if not issubclass(kind, list | deque):
        return 0
    appended = _ascend(generations) and _is_end([size - 1 - place for place, _ in places[::-1]])
    prepended = _ascend(generations[::-1]) and _is_end([place for place, _ in places])
    if grows or appended or prepended:
        return 0
    return bounded(size)  # its slots are filled anew


def _is_end(places: Sequence[int]) -> bool:
    """Whether the newest, which is the first, lies at the end from which places are counted: what
    lies before it is no more than what lies between it and the next. One alone tells nothing else.
    """
    return len(places) == 1 or places[0] < places[1] - places[0]


def _room_in_dict(container: Any) -> int:
    """Of one filled in order; none if its keys are numbers of iterations, or hardly come twice.
    Numbers in no order are those of so many things as the highest of them tells.
    """
    if is_endless(container):
        return 0
    keys = [key for key in list(dict.keys(container)) if type(key) is int]
    if not keys or len(keys) < size_of(container):
        return KEYS
    if all(a < b for a, b in pairwise(keys)):
        return 0 if keys[-1] >= 2 * len(keys) else KEYS
    return max(KEYS, bounded(max(keys) + max(keys) // len(keys))) if min(keys) >= 0 else KEYS


def is_endless(mapping: Any) -> bool:
    """Whether new keys come for ever, by the newest: one of real numbers hardly comes twice; nor
    do those that are lost.
    """
    key = newest_key(mapping)
    parts: tuple[Any, ...] = key if type(key) is tuple else (key,)
    return any(type(part) is float for part in parts) or are_lost(mapping)


def are_lost(mapping: Any) -> bool:
    """Whether its keys are the same as themselves alone, and nobody else has them: by the oldest,
    which were used long since.
    """
    oldest = list(islice(dict.keys(mapping), _OLDEST))
    return bool(oldest) and all(
        any(_is_alone(part, _OF_A_PART) for part in key)
        if type(key) is tuple
        else _is_alone(key, _OF_A_KEY)
        for key in oldest
    )


def _is_alone(key: Any, references: int) -> bool:
    """Whether it is equal to none but itself, and known to none but those who keep it as a key."""
    return type(key).__hash__ in _BY_IDENTITY and sys.getrefcount(key) <= references


def bounded(most: float) -> int:
    """The room of what is made to hold so many."""
    return int(most) + _BESIDES if most <= _MOST else 0


def limit_of(container: Collection[Any]) -> int | None:
    """How many a container is made to hold at most, if it is: a deque, whatever its class says; a
    function's cache; a tee's first block.
    """
    if isinstance(container, Buffer):
        return container.most
    return deque.maxlen.__get__(container) if issubclass(type(container), deque) else None


def _ascend(numbers: Sequence[int]) -> bool:
    """Whether they were put in one after the other."""
    return all(before <= after for before, after in pairwise(numbers))


def room_in_window(elements: int, generations: int) -> int:
    """Of one from which something is taken out, and that now holds so many of both."""
    return ELSEWHERE * generations // max(elements, generations, 1)


def is_cut(files: Iterable[str], link: str) -> bool:
    """Whether some statement gives None to the attribute by which objects are linked, besides
    what they begin with.
    """
    return any(
        store.how == "assign" and _is_none(store.node) and not _is_first(store)
        for store in stores([attribute(link)], files)
    )


def _is_first(store: Store) -> bool:
    """In the constructor, or in the class itself."""
    return store.constructs or "." not in store.target


def _is_none(node: ast.stmt) -> bool:
    value = getattr(node, "value", None)
    return isinstance(value, ast.Constant) and value.value is None
