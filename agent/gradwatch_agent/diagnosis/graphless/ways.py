"""What became of the graph on the ways back from a tensor that has none. Pure."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from gradwatch_agent.source.syntax.statements import Located


class Fate(enum.IntEnum):
    """Where one way back ends; of several the higher one tells more."""

    GRAPH = 0
    """At something that requires a gradient, with nothing that cuts: not the way that was gone."""
    NOTHING = 1
    """At what requires no gradient: data, a constant."""
    UNKNOWN = 2
    CUT = 3


class Why(enum.Enum):
    """What cuts."""

    EXPRESSION = enum.auto()
    MODE = enum.auto()
    LEFT_OFF = enum.auto()
    WAITING = enum.auto()
    """A generator waits where gradients are switched off, and so they are for all."""
    FROZEN = enum.auto()
    ANOTHER = enum.auto()
    """Weights that require no gradient, and that no optimizer steps either."""
    PLAIN = enum.auto()
    """It should be trained, and never required a gradient."""
    REENTRANT = enum.auto()
    HOOKED = enum.auto()
    """A hook hands it back, and so it takes the place of what a module gives."""
    MARKED = enum.auto()
    """A Function of the program's own says that what it gives has no gradient."""


class Trained(enum.IntEnum):
    """Whether an optimizer steps by what lies beyond."""

    NO = 0
    UNKNOWN = 1
    YES = 2


class Named(NamedTuple):
    """A statement that gives something a name."""

    name: str
    file: str
    node: Located


@dataclass(frozen=True, slots=True)
class Way:
    """One way back."""

    fate: Fate
    file: str = ""
    node: Located | None = None
    """The statement where it ends, or the part of one."""
    why: Why | None = None
    name: str = ""
    """What requires no gradient there, or the code that cuts."""
    trained: Trained = Trained.UNKNOWN
    copied: str = ""
    """What, on from there, would cut the graph if it had one still."""
    named: Named | None = None
    """The nearest name of what came to have no graph there."""
    instead: bool = False
    """By another way it would have had a graph."""


GRAPH, UNKNOWN, NOTHING = [Way(Fate.GRAPH)], [Way(Fate.UNKNOWN)], [Way(Fate.NOTHING)]


def together(operands: Iterable[list[Way]]) -> list[Way]:
    """The ways back from what is made of all of these, each of which may have come by any of its
    own: it has no graph, so neither has any of them.
    """
    every = list(operands)
    found: list[Way] = []
    for ways in every:
        possible = [way for way in ways if way.fate is not Fate.GRAPH]
        if ways and not possible:
            return [replace(GRAPH[0], trained=trained_by(every))]
        instead = len(possible) < len(ways)
        found += [replace(way, instead=way.instead or instead) for way in possible]
    ends = strongest(found)
    ends = [way for way in ends if way.instead] or ends if is_bare(ends) else ends
    if is_bare(ends) and len({way.node for way in ends if way.node is not None}) > 1:
        return list(NOTHING)  # of several none is the one
    return ends


def strongest(ways: list[Way]) -> list[Way]:
    """Those that tell the most."""
    most = max((way.fate for way in ways), default=Fate.NOTHING)
    return [way for way in ways if way.fate is most]


def cuts(ways: list[Way]) -> list[Way]:
    """Those that end where something cuts."""
    return [way for way in ways if way.fate is Fate.CUT]


def is_of_others(ways: list[Way]) -> bool:
    """Whether nothing is beyond but weights that nobody trains."""
    rest = [way for way in ways if way.fate is not Fate.NOTHING]
    return bool(rest) and all(way.why is Why.ANOTHER for way in rest)


def is_bare(ways: list[Way]) -> bool:
    """Whether all of them end at nothing that ever had a graph."""
    return all(way.fate is Fate.NOTHING for way in ways)


def named(given: Named | None, ways: list[Way]) -> list[Way]:
    """The same, with that name for what was cut off and has none yet."""
    if given is None:
        return ways
    return [replace(w, named=given) if w.fate is Fate.CUT and not w.named else w for w in ways]


def trained_by(operands: Iterable[list[Way]]) -> Trained:
    """Whether an optimizer steps by anything that is beyond."""
    beyond = [way.trained for ways in operands for way in ways if way.fate is not Fate.NOTHING]
    return max(beyond, default=Trained.NO)
