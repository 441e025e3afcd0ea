"""How many graphs a container may come to hold rightly, told by how it is made.

A container that only grows has no room: what it holds is a leak as soon as it is told apart from
chance. One that replaces what it holds, or throws out what is old, is bounded, and no leak until
it holds more than it ever should. Must not know graphs.
"""

from __future__ import annotations

import ast
import linecache
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from gradwatch_agent.names import size_of

ELSEWHERE: Final = 128
"""Room of what is spread over many names, or of a container that something is taken out of: the
longest windows that people keep. More is worth a word even if it is bounded."""

_KEYS: Final = 24
"""Room of a dict so far filled in order: its keys may be tasks, of which there are some."""

_MOST: Final = 256
"""A bound beyond this is none: a graph costs more than a number."""

_TAKING: Final = frozenset(("pop", "popleft", "popitem", "heappop", "heapreplace", "heappushpop"))
"""Functions and methods that take something out of a container; the last three as arguments."""


def room_in(container: Collection[Any], places: Sequence[tuple[int, int]]) -> int:
    """Of one that holds several generations; `places`: where it does, and the newest there."""
    kind, size = type(container), size_of(container)
    if issubclass(kind, deque) and (most := _maxlen(container)) is not None:
        return _bounded(most)
    in_order = _in_order([generation for _, generation in places])
    if issubclass(kind, dict):
        return _KEYS if in_order else ELSEWHERE
    if not issubclass(kind, list | deque):
        return 0
    ends = {generation for place, generation in places if place in (0, size - 1)}
    if in_order and max(generation for _, generation in places) in ends:
        return 0
    return _bounded(size)  # its slots are filled anew


def _bounded(most: int) -> int:
    return most if most <= _MOST else 0


def _maxlen(container: Any) -> int | None:
    """Of a deque, whatever its class would say."""
    most: int | None = deque.maxlen.__get__(container)  # type: ignore[attr-defined]
    return most


def _in_order(generations: Sequence[int]) -> bool:
    """Whether they were put in one after the other, at whichever end."""
    pairs = list(pairwise(generations))
    return all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs)


def takes_out(files: Iterable[str], name: str, *, attribute: bool) -> bool:
    """Whether some statement takes out what is old: of the container so named, or of one that a
    function was given.
    """

    def is_it(node: ast.AST, given: Collection[str]) -> bool:
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Attribute):
            return attribute and node.attr == name
        return isinstance(node, ast.Name) and (
            node.id in given or (not attribute and node.id == name)
        )

    return any(
        _takes_out(node, lambda part, given=given: is_it(part, given))
        for file in files
        for node, given in _statements(file)
    )


def _takes_out(node: ast.AST, is_it: Callable[[ast.AST], bool]) -> bool:
    if isinstance(node, ast.Call):
        function = node.func
        if (
            isinstance(function, ast.Attribute)
            and function.attr in _TAKING
            and is_it(function.value)
        ):
            return True
        called = (
            function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        )
        return called in _TAKING and bool(node.args) and is_it(node.args[0])
    if isinstance(node, ast.Delete):
        return any(isinstance(t, ast.Subscript) and is_it(t.value) for t in node.targets)
    if isinstance(node, ast.Assign):
        cut = isinstance(node.value, ast.Subscript) and isinstance(node.value.slice, ast.Slice)
        return cut and any(is_it(target) for target in node.targets)
    return False


def _statements(file: str) -> Iterator[tuple[ast.AST, Collection[str]]]:
    """Every node of a file's syntax, with the parameters of the function that it stands in."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    waiting: list[tuple[ast.AST, frozenset[str]]] = [(tree, frozenset())]
    while waiting:
        node, given = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            given = frozenset(argument.arg for argument in arguments)
        yield node, given
        waiting.extend((child, given) for child in ast.iter_child_nodes(node))
