"""Whether what a program reads of a container comes to a backward. Pure but for reading.

By names: what a statement makes goes on under the names that it gives it, to whoever calls its
function, and into the functions that it is handed to.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Final

from gradwatch_agent.source.flow.calls import nodes_with
from gradwatch_agent.source.gradients.following import (
    Read,
    drawn_in,
    given_by,
    loads,
    may_be_of,
    parents_in,
    within_callees,
)
from gradwatch_agent.source.gradients.switching import switch_around
from gradwatch_agent.source.stored.stores import Place, place_read
from gradwatch_agent.source.syntax.reading import called, last_name
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.vocabulary import ADDING, WALKING

_LOOKING: Final = frozenset(("item", "tolist", "numpy", "float", "int", "print", "len", "str"))
_CUTTING: Final = frozenset(("detach", "data", "shape", "no_grad", "tensor"))
"""What leads on to no graph: calls and attributes."""

_MOST: Final = 256
"""Expressions followed."""


def is_walked(
    name: str, places: Collection[Place], files: Collection[str], owner: str = ""
) -> bool:
    """Whether a backward walks what is read, by that name, a variable's or an attribute's, of the
    containers that lie in these places. `owner`: the class whose attribute it is, if that is known.
    """
    return _comes_to_it(_reads_of(name, places, files, owner), files)


def is_walked_by_the_last(
    name: str, places: Collection[Place], files: Collection[str], owner: str = ""
) -> bool:
    """Whether of all those reads the ones of `rows[-1]` are the only ones that it walks."""
    reads = _reads_of(name, places, files, owner)
    last = [each for each in reads if _is_last(parents_in(each.file).get(id(each.value)))]
    others = [each for each in reads if each not in last]
    return _comes_to_it(last, files) and not _comes_to_it(others, files)


def _is_last(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Subscript) and ast.unparse(node.slice) == "-1"


def _reads_of(
    name: str, places: Collection[Place], files: Collection[str], owner: str
) -> list[Read]:
    return [
        Read(file, node)
        for file, node in nodes_with(name, files)
        if isinstance(node, ast.Name | ast.Attribute) and last_name(node) == name
        if loads(node) and place_read(file, node) in places
        if may_be_of(owner, node, file, tuple(files))
    ]


def _comes_to_it(reads: list[Read], files: Collection[str]) -> bool:
    """Whether a backward walks some of what is made of these."""
    waiting, known = [*reads], set[int]()
    while waiting and len(known) < _MOST:
        read = waiting.pop()
        if id(read.value) in known:
            continue
        known.add(id(read.value))
        for each in _onward(read, files):
            if each is None:
                return True
            waiting.append(each)
    return False


def _onward(read: Read, files: Collection[str]) -> Iterator[Read | None]:
    """Where what is made of it is read; None: a backward walks it."""
    way = _around(read)
    if not way:
        return
    for inner, outer in zip([read.value, *way], way, strict=False):
        if isinstance(outer, ast.Call):
            if called(outer) in WALKING:
                yield None
                return
            if called(outer) in _LOOKING | _CUTTING or _only_adds(outer, inner):
                return
            within = list(within_callees(outer, inner, read.file, files))
            yield from within
            if within:  # what the call makes of it is what they hand back
                return
        if isinstance(outer, ast.Attribute) and outer.attr in _CUTTING:
            return
        if isinstance(outer, ast.If | ast.While | ast.Assert | ast.Compare | ast.FormattedValue):
            return
        if isinstance(outer, ast.IfExp) and inner is outer.test:
            return
        if isinstance(outer, ast.stmt):
            yield from given_by(outer, read.value, read.file, files)
            return
        if isinstance(outer, ast.comprehension):
            yield from drawn_in(outer, read.value, read.file, way[way.index(outer) + 1])
            return


def _only_adds(call: ast.Call, inner: ast.AST) -> bool:
    """Whether something is added there to what is read."""
    return call.func is inner and called(call) in (*ADDING, "clear", "pop")


def _around(read: Read) -> list[ast.AST]:
    """What is around the expression, from the inside outwards, to its statement; nothing where
    gradients are off.
    """
    body = body_around(read.file, read.value.lineno)
    if body is None or switch_around(body, read.value.lineno) is not None:
        return []
    parents, way = parents_in(read.file), []
    here: ast.AST | None = read.value
    while here is not None and not isinstance(here, ast.stmt):
        here = parents.get(id(here))
        if here is not None:
            way.append(here)
    return way
