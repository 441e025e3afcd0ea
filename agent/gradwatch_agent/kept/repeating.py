"""Where something is done that a program does again and again: at its statement, where the function
around is called, and where that one is. Must not know what it is.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple

from gradwatch_agent.diagnosis.place.stored import place_of
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.callers import callers, names_of
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.flow.yielding import sends
from gradwatch_agent.source.stored.stores import Store, known_places
from gradwatch_agent.source.syntax.statements import Body, body_around, is_chosen
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import CONSTRUCTING

Loop = ast.For | ast.While | ast.AsyncFor

_DEPTH: Final = 2
"""Calls by which a function is reached from one that is."""

BY_ITS_OBJECT: Final = frozenset(("forward", "__call__"))
"""Methods that are called by calling their object."""

_MOST_CALLS: Final = 16
"""A function of a name that is called more often has it in common with others."""


class At(NamedTuple):
    """A statement, and what is known of the way to it."""

    file: str
    line: int
    times: float = 1
    """How often something is done, each time that what stands there is."""
    far: bool = False
    """Neither where it is done nor where its function is called, but farther up."""
    made: str = ""
    """The class in which it stands, of a field that has a value to begin with."""

    @classmethod
    def of(cls, store: Store) -> At:
        """Where it stands."""
        return cls(store.file, store.line, made=store.owner if not store.function else "")


Rounds = Callable[[Loop, At], float]
"""How often a loop comes round; 0 where that is not known."""


class Asked(NamedTuple):
    """For whose sake places are looked for, and how far: `depth` calls up."""

    way: Path
    rounds_of: Rounds
    depth: int = _DEPTH
    surely: bool = False
    """Only those who call it each time, of whoever calls its function."""


def places(statements: Iterable[At], asked: Asked) -> Iterator[At]:
    """Where they stand, and where their functions are called, or sent something; of a field with a
    value to begin with, where such objects are made.
    """
    for at in statements:
        yield at
        yield from _callers(at, asked, asked.depth)
        yield from (At(file, call.lineno) for file, call in sends(at.file, at.line, own_files()))


def _callers(at: At, asked: Asked, depth: int) -> Iterator[At]:
    """Where the function is called in which it stands, and so on from there."""
    body = body_around(at.file, at.line)
    around = loops_at(body, at.line) if body is not None else []
    times = math.prod((asked.rounds_of(loop, at) for loop in around), start=at.times)
    calls = _calls(at, asked.way)
    for file, call in calls if len(calls) <= _MOST_CALLS else ():
        yield (place := At(file, call.lineno, times, far=depth < asked.depth))
        if depth and (not asked.surely or _is_sure(at, file, call)):
            yield from _callers(place, asked, depth - 1)
        elif not asked.surely and _begins(at, body) and _puts_anew(file, call):
            yield from _callers(place, asked, depth)


def _begins(at: At, body: Body | None) -> bool:
    """Whether it is done to an object that is being made, where calls of its class stand."""
    return bool(at.made) or getattr(body, "name", "") in CONSTRUCTING


def _puts_anew(file: str, call: ast.Call) -> bool:
    """Whether what the call makes takes the place of what was there, each time it is come by."""
    made = statement_at(file, call.lineno)
    return getattr(made, "value", None) is call and not is_chosen(file, call.lineno)


def _calls(at: At, way: Path) -> list[tuple[str, ast.Call]]:
    """Those of its function, or that make objects with its field; of a module's `forward` those of
    the way's objects too, which are called in its stead.
    """
    files = own_files()
    if at.made:
        return list(calls_of(at.made, files))
    by_object = not BY_ITS_OBJECT.isdisjoint(names_of(at.file, at.line, files))
    objects = [place_of(step) for step in way.back()] if by_object else []
    also = sorted({place.name for place in known_places(objects, files)})
    return list(callers(at.file, at.line, files, also))


def _is_sure(at: At, file: str, call: ast.Call) -> bool:
    """Whether who calls the caller has that done each time: it is under no condition; and what the
    call makes is handed back, where it may be put away else only if there is none.
    """
    if is_chosen(at.file, at.line):
        return False
    if not _begins(at, body_around(at.file, at.line)):
        return True
    made = statement_at(file, call.lineno)
    return isinstance(made, ast.Return) and made.value is call
