"""Which of a node's names carries it from one iteration to the next. Holds nothing."""

from __future__ import annotations

import ast
from collections.abc import Set
from typing import Final

from gradwatch_agent.diagnosis.chain.names import Named, place
from gradwatch_agent.diagnosis.chain.renamed import is_only_given
from gradwatch_agent.diagnosis.lasting.anew import Anew
from gradwatch_agent.diagnosis.lasting.ending import uncalled_cut
from gradwatch_agent.diagnosis.lasting.variables import is_variable_of, may_last
from gradwatch_agent.diagnosis.place.stored import by_any_key, candidates, place_of
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.ahead import is_once
from gradwatch_agent.source.stored.stores import known_places, places_read
from gradwatch_agent.source.syntax.places import Place
from gradwatch_agent.source.syntax.reading import reads

_SETTING: Final = ("assign", "augment", "bind")
"""How a name is given a value; else something is called that puts it into a container."""


def keeper(path: Path) -> Path:
    """What a user would call the carrier: of an attribute that is set when its object is made and
    never again, the container through which such objects pass; of a function's own variable that
    nothing is given to, the name by which one such function takes another's place.
    """
    function = path.root.behind
    if function is not None and not candidates(path.root) and _is_made_again(function.holder):
        return function.holder
    elements = [step for step in path.back() if step.index and step.label]
    own = path.holder  # of a tuple that lies there, the key's
    if own.parent is not None and by_any_key(own):
        return own.parent.holder
    if elements and path.label.startswith("['") and _is_a_row(path):
        return elements[-1].holder
    if not path.attribute or not elements:
        return path.holder
    is_set = any(not store.constructs for store in candidates(path))
    return path.holder if is_set else elements[-1].holder


def _is_made_again(path: Path) -> bool:
    """Whether some statement gives the name a thing while it trains."""
    files = own_files()
    return any(not is_once(store, files) for store in candidates(path) if store.certain)


def _is_a_row(path: Path) -> bool:
    """Whether the dict whose element it is was put into its container whole, as a row is."""
    return all(store.constructs or store.how not in _SETTING for store in candidates(path))


def read_within(crossing: Crossing) -> set[Place]:
    """Those that the innermost line of it reads."""
    return places_read(crossing.used[0].file, crossing.used[0].line) if crossing.used else set()


def read_by(crossing: Crossing) -> set[Place]:
    """The places that the statement reads which uses the stale node."""
    return set().union(*(places_read(site.file, site.line) for site in crossing.used))


def is_read(path: Path, read: Set[Place]) -> bool:
    """Whether that is what the name stands for, be it under another name."""
    return not read.isdisjoint(known_places([place_of(path)], [*own_files(), path.file]))


def carrier(
    new: list[Named],
    old: list[Named],
    read: set[Place],
    anew: Anew = frozenset(),
    inner: Set[Place] = frozenset(),
) -> Named:
    """Of a node's names of now and of the iteration before, the likeliest to be the carrier.

    One that had it then and has it still; of several the one that is read where it is used, which
    is the likeliest besides where it has been replaced meanwhile. What is read by its own name
    comes before what is known by another one, which may be that of a container around it. `inner`:
    the part of `read` that the innermost line reads.
    """
    stored = [each for each in new if each[0].attribute or each[0].steps]
    last = [[each for each in names if may_last(each[0], anew)] for names in (new, old)]
    if last[0]:  # what has a name still is not to be called by one that is gone
        last[1] = [each for each in last[1] if not is_variable_of(each[0].root, anew)]
    if not last[1]:
        read_now = [each for each in last[0] if place_of(each[0]) in read]
        read_now = read_now or [each for each in last[0] if is_read(each[0], read)]
        if read_now:
            return _stored_first(read_now, last[0])
    if any(last) and (stored or not last[0]):  # else something carries it all the same
        new, old = last
        stored = [each for each in stored if each in new]
    before = {(place(path), _owner(path)) for path, _ in old}
    places = {place for place, _ in before}
    kept = [each for each in new if (place(each[0]), _owner(each[0])) in before]
    new = [each for each in new if each in kept or place(each[0]) not in places]
    for names in (kept, old):  # what the very line reads, ahead of what the calls around it do
        named = [each for each in names if is_read(each[0], inner)] if inner else []
        if named:
            return _stored_first(named, names)
    for names in (kept, old, stored):
        named = [each for each in names if place_of(each[0]) in read]
        if named:
            return _stored_first(named, names)
    for names in (kept, old):
        named = [each for each in names if is_read(each[0], read)]
        if named:
            return _stored_first(named, names)
    named = [each for each in new if is_read(each[0], read)]
    return (kept or named or new or old)[0]


def not_cut(path: Path, scalar: bool, names: list[Named], anew: Anew) -> Named:  # noqa: FBT001
    """Or another name that lasts, where the program itself detaches what goes by this one."""
    if not _cuts_itself(path) or uncalled_cut(path) is not None:
        return path, scalar
    others = (e for e in names if place(e[0]) != place(path) and may_last(e[0], anew))
    return next((e for e in others if not _cuts_itself(e[0])), (path, scalar))


def _cuts_itself(path: Path) -> bool:
    """Whether a statement gives it what it was, without its graph: `state = state.detach()`."""
    return any(
        store.fresh and store.how == "assign" and store.target in reads(store.node.value)
        for store in candidates(path)
        if isinstance(store.node, ast.Assign)
    )


def _stored_first(named: list[Named], names: list[Named]) -> Named:
    """The first that is more than an argument; else an attribute of the same graph: a function
    that is given a state, and trains with it for some iterations, did not store it.
    """
    attributes = [each for each in names if each[0].attribute]
    own = [each for each in named if not is_only_given(each[0])]
    return (own or attributes or named)[0]


def _owner(path: Path) -> int:
    """The identity of the object whose attribute the carrier is: another one that goes by the same
    name has been given the thing, and did not carry it.
    """
    step = keeper(path).parent
    while step is not None and not step.label:
        step = step.parent
    return step.identity if step is not None else 0
