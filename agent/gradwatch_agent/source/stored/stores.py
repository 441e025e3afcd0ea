"""Which statements put something under a name, or into the thing that the name stands for.

Owns the way through a program's files: by what other names the thing is known. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.syntax.places import ANY, Passed, Place, Store, attribute, result
from gradwatch_agent.source.syntax.reading import base, called, reads
from gradwatch_agent.source.syntax.scopes import MODULE
from gradwatch_agent.source.syntax.statements import function_at
from gradwatch_agent.source.syntax.text import mentions, statement_at
from gradwatch_agent.source.syntax.vocabulary import NAMING

__all__ = [
    "ANY",
    "Place",
    "Store",
    "attribute",
    "given_at",
    "known_places",
    "mentioning",
    "owner_at",
    "passed_to",
    "place_read",
    "places_read",
    "received",
    "stores",
    "targets_at",
    "variable",
]

_HOPS: Final = 4
"""Other names by which one thing is followed."""


def variable(file: str, line: int, name: str) -> Place:
    """The place of a variable that is seen from the code that begins on that line."""
    scope = index(file).scopes.get(line)
    return Place(file, scope.home(name).line if scope else MODULE, name)


def owner_at(file: str, line: int) -> str:
    """The class whose method the line is in; empty where it is in none."""
    scope = index(file).scopes.get(function_at(file, line))
    return scope.owner if scope is not None else ""


def place_read(file: str, what: ast.expr) -> Place | None:
    """The place of a variable or an attribute, or of the one that the thing lies in."""
    match base(what):
        case ast.Attribute(attr=name):
            return attribute(name)
        case ast.Name(id=name):
            return variable(file, function_at(file, what.lineno), name)
        case ast.Call() as call if called(call):
            return result(called(call))
    return None


def places_read(file: str, line: int) -> set[Place]:
    """Those that the statement on the line reads."""
    statement, function = statement_at(file, line), function_at(file, line)
    found: set[Place] = set()
    for name in reads(statement) if statement is not None else ():
        _, dot, last = name.rpartition(".")
        found.add(attribute(last) if dot else variable(file, function, name))
    return found


def targets_at(file: str, line: int) -> list[Place]:
    """The places that the statement on the line stores into."""
    found = index(file).puts.items()
    return [p for p, every in found if any(s.line <= line <= s.end_line for s in every)]


def given_at(file: str, line: int) -> frozenset[Place]:
    """The places that the innermost statement on the line gives what it makes."""
    statement = statement_at(file, line)
    if not isinstance(statement, ast.Assign | ast.AnnAssign):
        return frozenset()
    found = index(file).puts.items()
    return frozenset(
        p for p, every in found if any(s.node is statement and s.how == "assign" for s in every)
    )


def stores(places: Iterable[Place], files: Iterable[str]) -> list[Store]:
    """Every statement of the files that stores into one of the places, or under another name
    into what lies there; those of the places themselves first.
    """
    every = list(files)
    waiting = [(place, 0) for place in places]
    known: set[Place] = set()
    found: dict[tuple[str, int, int], Store] = {}
    while waiting:
        place, hops = waiting.pop(0)
        if place in known:
            continue
        known.add(place)
        for file in mentioning(place, every):
            for store in index(file).puts.get(place, ()):
                if hops == 0 or store.how not in ("assign", "bind") or "[" in store.target:
                    key = (store.file, store.line, store.node.col_offset)
                    other = found.setdefault(key, store)
                    if other.fresh and not store.fresh:  # of one statement, what puts in a graph
                        found[key] = store
        if hops < _HOPS:
            waiting += [(other, hops + 1) for other in _elsewhere(place, every)]
    return list(found.values())


def known_places(
    places: Iterable[Place], files: Iterable[str], *, views: bool = False
) -> set[Place]:
    """All places by which the things in these places are known; or tensors of the same memory."""
    every = list(files)
    waiting = [(place, 0) for place in places]
    known: set[Place] = set()
    while waiting:
        place, hops = waiting.pop()
        if place in known:
            continue
        known.add(place)
        if hops < _HOPS:
            waiting += [(other, hops + 1) for other in _elsewhere(place, every, views=views)]
    return known


def passed_to(place: Place, files: list[str]) -> Iterator[Place]:
    """What is given for the parameter that a place is, wherever its function is called."""
    name = next((s.name for s in [index(place.file).scopes.get(place.scope)] if s), "")
    for file in files:
        if mentions(file, name):
            for given, every in index(file).passed.items():
                if any(place in received(passed, [place.file]) for passed in every):
                    yield given


def _elsewhere(place: Place, files: list[str], *, views: bool = False) -> Iterator[Place]:
    """Other places of what lies in one: assigned from there, or given to a function."""
    for file in mentioning(place, files):
        known = index(file)
        yield from known.aliases.get(place, ())
        yield from known.views.get(place, ()) if views else ()
        shown = known.shown.get(place, ()) if views else ()
        for passed in (*known.passed.get(place, ()), *shown):
            yield from received(passed, files)


def mentioning(place: Place, files: list[str]) -> Iterator[str]:
    """The files that may know of the place; only those are parsed."""
    if place.file:
        yield place.file
        return
    words = ("setattr", "getattr", "__dict__", "vars", *NAMING) if place == ANY else (place.name,)
    for file in files:
        if any(mentions(file, word) for word in words):
            yield file


def received(passed: Passed, files: list[str]) -> Iterator[Place]:
    """The parameters by which functions of that name know the thing."""
    for file in files:
        if not mentions(file, passed.callee):
            continue
        known = index(file)
        makes = passed.callee in known.classes
        found = known.functions.get("__init__" if makes else passed.callee, [])
        plain = [] if passed.method or makes else [scope for scope in found if not scope.owner]
        for scope in plain or found:  # else a method that goes by a plain name
            if makes and scope.owner != passed.callee:
                continue
            names = scope.parameters[bool(scope.owner) :]
            if passed.keyword in names:
                yield Place(file, scope.line, str(passed.keyword))
            elif passed.keyword is None and passed.position < len(names):
                yield Place(file, scope.line, names[passed.position])
            elif passed.keyword is None and scope.rest:
                yield Place(file, scope.line, scope.rest)
            elif passed.keyword is not None and scope.words:
                yield from _named(passed.keyword, files)


def _named(keyword: str, files: list[str]) -> Iterator[Place]:
    """The parameters of that name: what takes any keyword hands it on to whoever has it."""
    for file in files:
        for scope in index(file).scopes.values():
            if keyword in scope.parameters:
                yield Place(file, scope.line, keyword)
