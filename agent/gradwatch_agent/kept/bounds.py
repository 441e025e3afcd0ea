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
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, Final

import torch

from gradwatch_agent.naming.buffers import BLOCK, Buffer
from gradwatch_agent.naming.containers import newest_key, size_of
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.stores import Store, attribute, stores
from gradwatch_agent.source.text import tree

ELSEWHERE: Final = 128
"""Room of what is spread over many names, or of a container that something is taken out of: the
longest windows that people keep. More is worth a word even if it is bounded."""

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

TAKING: Final = frozenset(
    ("pop", "popleft", "popitem", "remove", "discard", "heappop", "heapreplace", "heappushpop")
)
"""Functions and methods that take something out of a container; the last three as arguments."""

_SIEVING: Final = frozenset(("filter", "islice", "takewhile", "dropwhile", "nlargest", "nsmallest"))
"""Functions that leave something out of what they are given."""


def room_in(container: Collection[Any], places: Sequence[tuple[int, int]], *, grows: bool) -> int:
    """Of one that holds several generations; `places`: where it does, and the newest there.

    `grows`: it has more elements than it had.
    """
    kind, size = type(container), size_of(container)
    if (most := limit_of(container)) is not None:
        return bounded(most)
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
    lies before it is no more than what lies between it and the next.
    """
    return places[0] < places[1] - places[0]


def _room_in_dict(container: Any) -> int:
    """Of one filled in order; none if its keys are numbers of iterations, or hardly come twice."""
    if is_endless(container):
        return 0
    keys = [key for key in list(dict.keys(container)) if type(key) is int]
    ascend = all(a < b for a, b in pairwise(keys))
    sparse = bool(keys) and keys[-1] >= 2 * len(keys)
    return 0 if ascend and sparse and len(keys) == size_of(container) else KEYS


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


def bounded(most: int) -> int:
    """The room of what is made to hold so many."""
    return most + _BESIDES if most <= _MOST else 0


def limit_of(container: Collection[Any]) -> int | None:
    """How many a container is made to hold at most, if it is: a deque, whatever its class says; a
    tee's first block.
    """
    if type(container) is Buffer:
        return BLOCK if size_of(container) <= BLOCK else None
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
    return store.function == "__init__" or "." not in store.target


def _is_none(node: ast.stmt) -> bool:
    value = getattr(node, "value", None)
    return isinstance(value, ast.Constant) and value.value is None


def takes_out(files: Iterable[str], name: str, *, attribute: bool) -> bool:
    """Whether some statement takes out what is old: of the container so named, or of one that a
    function was given.
    """
    return any(
        _takes_out(node, given if attribute else {*given, name}, name if attribute else "")
        for file in files
        for node, given in _changing(file)
    )


def _takes_out(node: ast.AST, variables: Collection[str], attribute: str) -> bool:
    def is_it(part: ast.AST) -> bool:
        while isinstance(part, ast.Subscript):
            part = part.value
        if isinstance(part, ast.Attribute):
            return part.attr == attribute
        return isinstance(part, ast.Name) and part.id in variables

    if isinstance(node, ast.Call):
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return any(is_it(part) for part in (*owner, *node.args[:1]))
    if isinstance(node, ast.Delete):
        return any(isinstance(t, ast.Subscript) and is_it(t.value) for t in node.targets)
    return isinstance(node, ast.Assign) and any(is_it(target) for target in node.targets)


def _may_take(node: ast.AST) -> bool:
    """Whether it takes something out of whatever it is about."""
    if isinstance(node, ast.Assign):
        return any(_is_slice(part) or _is_sieve(part) for part in ast.walk(node.value))
    return isinstance(node, ast.Delete) or (isinstance(node, ast.Call) and called(node) in TAKING)


def _is_slice(part: ast.AST) -> bool:
    """`losses[-9:]`, be it a part of what takes its place: `[*losses[-9:], loss]`."""
    cut = part.slice if isinstance(part, ast.Subscript) else None
    return isinstance(cut, ast.Slice) and (cut.lower is not None or cut.upper is not None)


def _is_sieve(part: ast.AST) -> bool:
    """`[trial for trial in trials if trial.age < 9]`, `filter(is_young, trials)`."""
    if isinstance(part, ast.Call):
        return called(part) in _SIEVING
    return isinstance(part, ast.comprehension) and bool(part.ifs)


@lru_cache(maxsize=512)
def _changing(file: str) -> tuple[tuple[ast.AST, Collection[str]], ...]:
    """What takes something out of a container, with the parameters of the function around."""
    found, module = [], tree(file)
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(module, frozenset())] if module else []
    while waiting:
        node, given = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            given = frozenset(argument.arg for argument in arguments)
        if _may_take(node):
            found.append((node, given))
        waiting.extend((child, given) for child in ast.iter_child_nodes(node))
    return tuple(found)
