"""Whether what a program reads of a container comes to a backward. Pure but for reading.

By names: what a statement makes goes on under the names that it gives it, to whoever calls its
function, and into the functions that it is handed to.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from gradwatch_agent.source.flow.callers import callers, kinds_of, made_by
from gradwatch_agent.source.flow.calls import nodes_with
from gradwatch_agent.source.flow.giving import callees, given
from gradwatch_agent.source.gradients.switching import switch_around
from gradwatch_agent.source.stored.stores import Place, owner_at, place_read
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Function, body_around
from gradwatch_agent.source.syntax.text import nodes
from gradwatch_agent.source.syntax.vocabulary import ADDING, WALKING

_LOOKING: Final = frozenset(("item", "tolist", "numpy", "float", "int", "print", "len", "str"))
_CUTTING: Final = frozenset(("detach", "data", "shape", "no_grad", "tensor"))
"""What leads on to no graph: calls and attributes."""

_COMMON: Final = ADDING | {"step"}
"""Names of methods that many classes have."""

_MOST: Final = 256
"""Expressions followed."""


class _Read(NamedTuple):
    file: str
    value: ast.expr


def is_walked(
    name: str, places: Collection[Place], files: Collection[str], owner: str = ""
) -> bool:
    """Whether a backward walks what is read, by that name, a variable's or an attribute's, of the
    containers that lie in these places. `owner`: the class whose attribute it is, if that is known.
    """
    waiting = [
        _Read(file, node)
        for file, node in nodes_with(name, files)
        if isinstance(node, ast.Name | ast.Attribute) and _last_name(node) == name
        if _loads(node) and place_read(file, node) in places
        if not owner or _may_be_of(owner, node, file, tuple(files))
    ]
    known: set[int] = set()
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


def _may_be_of(owner: str, node: ast.expr, file: str, files: tuple[str, ...]) -> bool:
    """Whether it is no other class's own attribute of that name."""
    match node:
        case ast.Attribute(value=ast.Name(id="self")):
            own = owner_at(file, node.lineno)
            return own in kinds_of(owner, files) or owner in kinds_of(own, files)
    return True


def _onward(read: _Read, files: Collection[str]) -> Iterator[_Read | None]:
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
            yield from _within(outer, inner, files)
        if isinstance(outer, ast.Attribute) and outer.attr in _CUTTING:
            return
        if isinstance(outer, ast.If | ast.While | ast.Assert | ast.Compare | ast.FormattedValue):
            return
        if isinstance(outer, ast.stmt):
            yield from _given(outer, read.file, files)
            return
        if isinstance(outer, ast.comprehension):
            yield from _variables(outer.target, read.file, way[-1], files)


def _only_adds(call: ast.Call, inner: ast.AST) -> bool:
    """Whether something is added there to what is read."""
    return call.func is inner and called(call) in (*ADDING, "clear", "pop")


def _around(read: _Read) -> list[ast.AST]:
    """What is around the expression, from the inside outwards, to its statement; nothing where
    gradients are off.
    """
    body = body_around(read.file, read.value.lineno)
    if body is None or switch_around(body, read.value.lineno) is not None:
        return []
    parents, way = _parents(read.file), []
    here: ast.AST | None = read.value
    while here is not None and not isinstance(here, ast.stmt):
        here = parents.get(id(here))
        if here is not None:
            way.append(here)
    return way


@lru_cache(maxsize=64)
def _parents(file: str) -> dict[int, ast.AST]:
    return {id(child): node for node in nodes(file) for child in ast.iter_child_nodes(node)}


def _given(statement: ast.AST, file: str, files: Collection[str]) -> Iterator[_Read]:
    """What reads what the statement makes."""
    match statement:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from _variables(target, file, statement, files)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target) | ast.For(target=target):
            yield from _variables(target, file, statement, files)
        case ast.Return() | ast.Expr(value=ast.Yield()):
            yield from _calls(file, statement.lineno, files)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=into)) as call):
            if called(call) in ADDING:
                yield from _variables(into, file, statement, files)


def _variables(target: ast.expr, file: str, at: ast.AST, files: Collection[str]) -> Iterator[_Read]:
    """Where what is given something is read: a variable in its function and those within, an
    attribute wherever it is read.
    """
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _variables(part, file, at, files)
        case ast.Starred(value=value) | ast.Subscript(value=value):
            yield from _variables(value, file, at, files)
        case ast.Attribute(attr=name):
            for other, node in nodes_with(name, files):
                if isinstance(node, ast.Attribute) and node.attr == name and _loads(node):
                    yield _Read(other, node)
        case ast.Name(id=name):
            body = body_around(file, target.lineno)
            for node in ast.walk(body) if body is not None else ():
                if isinstance(node, ast.Name) and node.id == name and _loads(node):
                    yield _Read(file, node)


def _within(call: ast.Call, inner: ast.AST, files: Collection[str]) -> Iterator[_Read]:
    """Where the functions that the call may be of read what it gives them."""
    for at, function in callees(call, files) if called(call) not in _COMMON else ():
        for name, value in given(call, function).items():
            if value is inner or (isinstance(inner, ast.keyword) and value is inner.value):
                for node in ast.walk(function):
                    if isinstance(node, ast.Name) and node.id == name and _loads(node):
                        yield _Read(at, node)


def _calls(file: str, line: int, files: Collection[str]) -> Iterator[_Read]:
    """The calls of the function that the line stands in: by its name, of a `forward` by what its
    module is called, of one that another hands back by what that is called.
    """
    body = body_around(file, line)
    if not isinstance(body, Function):
        return
    for at, call in callers(file, line, files, also=made_by(file, line, files)):
        yield _Read(at, call)


def _loads(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _last_name(node: ast.Name | ast.Attribute) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id
