"""Where what a statement makes is read: under the names that it gives it, by whoever calls its
function, and in the functions that it is handed to. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from gradwatch_agent.source.flow.callers import callers, kinds_of, made_by
from gradwatch_agent.source.flow.calls import nodes_with
from gradwatch_agent.source.flow.carrying import begins_anew
from gradwatch_agent.source.flow.giving import callees, given
from gradwatch_agent.source.flow.receivers import is_of_others
from gradwatch_agent.source.stored.stores import owner_at, place_read
from gradwatch_agent.source.syntax.reading import called, last_name
from gradwatch_agent.source.syntax.statements import Function, body_around
from gradwatch_agent.source.syntax.targets import drawing, lies_in, pairs
from gradwatch_agent.source.syntax.text import nodes
from gradwatch_agent.source.syntax.vocabulary import ADDING

_COMMON: Final = ADDING | {"step"}
"""Names of methods that many classes have."""


class Read(NamedTuple):
    """An expression that is read, and where."""

    file: str
    value: ast.expr


def given_by(
    statement: ast.AST, value: ast.expr, file: str, files: Collection[str]
) -> Iterator[Read]:
    """What reads what the statement makes of the value that it reads."""
    match statement:
        case ast.Assign():
            for target, given_it in pairs(statement):
                if lies_in(value, given_it):
                    yield from _variables(target, file, files)
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
            yield from _variables(target, file, files)
        case ast.For(target=target, iter=values):
            yield from _variables(drawing(target, values, value), file, files)
        case ast.Return() | ast.Expr(value=ast.Yield()):
            yield from _calls(file, statement.lineno, files)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=into)) as call):
            if called(call) in ADDING:
                yield from _variables(into, file, files)


def drawn_in(
    draws: ast.comprehension, value: ast.expr, file: str, comprehension: ast.AST
) -> Iterator[Read]:
    """Where the comprehension reads what it draws of the value: nothing else sees its variables."""
    if not lies_in(value, draws.iter):
        return  # what it only picks by
    target = drawing(draws.target, draws.iter, value)
    own = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    for node in ast.walk(comprehension):
        if isinstance(node, ast.Name) and node.id in own and loads(node):
            yield Read(file, node)


def _variables(target: ast.expr, file: str, files: Collection[str]) -> Iterator[Read]:
    """Where what is given something is read: a variable in its function and those within, an
    attribute wherever it is read.
    """
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _variables(part, file, files)
        case ast.Starred(value=value) | ast.Subscript(value=value):
            yield from _variables(value, file, files)
        case ast.Attribute(value=whose, attr=name):
            is_own = isinstance(whose, ast.Name) and whose.id == "self"
            owner = owner_at(file, target.lineno) if is_own else ""
            yield from _attributes(name, owner, files)
        case ast.Name(id=name):
            place, body = place_read(file, target), body_around(file, target.lineno)
            every = (node for node in ast.walk(body) if isinstance(node, ast.Name)) if body else ()
            first = target.lineno if begins_anew(file, target.lineno, name) else 0
            for node in (e for e in every if e.id == name and loads(e) and e.lineno >= first):
                if place_read(file, node) == place and not _is_drawn(node, file):
                    yield Read(file, node)


def _attributes(name: str, owner: str, files: Collection[str]) -> Iterator[Read]:
    """Where the attribute of that name is read, of the class or of who knows what."""
    for file, node in nodes_with(name, files):
        if not isinstance(node, ast.Attribute) or node.attr != name or not loads(node):
            continue
        if may_be_of(owner, node, file, tuple(files)):
            yield Read(file, node)


def _is_drawn(name: ast.Name, file: str) -> bool:
    """Whether a comprehension around it has a variable of its own of that name."""
    parents = parents_in(file)
    here: ast.AST | None = name
    while here is not None and not isinstance(here, ast.stmt):
        for each in getattr(here, "generators", ()):
            if any(isinstance(n, ast.Name) and n.id == name.id for n in ast.walk(each.target)):
                return True
        here = parents.get(id(here))
    return False


def within_callees(
    call: ast.Call, inner: ast.AST, file: str, files: Collection[str]
) -> Iterator[Read]:
    """Where the functions that the call may be of read what it gives them."""
    own = called(call) not in _COMMON and not is_of_others(call, file, files)
    for at, function in callees(call, files) if own else ():
        for name, value in given(call, function).items():
            if value is inner or (isinstance(inner, ast.keyword) and value is inner.value):
                for node in ast.walk(function):
                    if isinstance(node, ast.Name) and node.id == name and loads(node):
                        yield Read(at, node)


def _calls(file: str, line: int, files: Collection[str]) -> Iterator[Read]:
    """The calls of the function that the line stands in: by its name, of a `forward` by what its
    module is called, of one that another hands back by what that is called.
    """
    body = body_around(file, line)
    if not isinstance(body, Function):
        return
    if any(last_name(each).endswith("property") for each in body.decorator_list):
        yield from _attributes(body.name, owner_at(file, line), files)
    for at, call in callers(file, line, files, also=made_by(file, line, files)):
        if not owner_at(file, line) or not is_of_others(call, at, files):
            yield Read(at, call)


def may_be_of(owner: str, node: ast.expr, file: str, files: tuple[str, ...]) -> bool:
    """Whether it is no other class's own attribute of that name; `owner` may not be known."""
    match node if owner else None:
        case ast.Attribute(value=ast.Name(id="self")):
            own = owner_at(file, node.lineno)
            return own in kinds_of(owner, files) or owner in kinds_of(own, files)
    return True


@lru_cache(maxsize=64)
def parents_in(file: str) -> dict[int, ast.AST]:
    """What each node of its tree stands in, by the node's `id`."""
    return {id(child): node for node in nodes(file) for child in ast.iter_child_nodes(node)}


def loads(node: ast.AST) -> bool:
    """Whether it is read there, not given something or deleted."""
    return isinstance(getattr(node, "ctx", None), ast.Load)
