"""Whether a list has no end, or a sum: it is made once, only added to, and nothing empties it. So
have those that lie in a dict under a name, where the dict only ever makes what is missing.

Of any other it takes more graphs to tell a leak from a block that is filled anew. Must not know
graphs.
"""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.diagnosis.lasting.ending import begins
from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.kept.bounds import KEYS
from gradwatch_agent.kept.capacity import keys_of
from gradwatch_agent.kept.missing import (
    are_made_there,
    is_first,
    leaves_it_there,
    stores_what_is_missing,
)
from gradwatch_agent.kept.renewed import comes_round
from gradwatch_agent.kept.sizes import ADDING
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.flow.emptying import emptied
from gradwatch_agent.source.flow.once import is_any_begun_again, is_built_once, runs_once
from gradwatch_agent.source.gradients.cut import graphs_if
from gradwatch_agent.source.stored.stores import ANY, Store, known_places, stores
from gradwatch_agent.source.syntax.statements import functions_named

_DICTS: Final = ("dict", "defaultdict", "OrderedDict")

_RING: Final = "deque"
"""It may have a length of its own, whatever is done to what it lies in."""

_FEW: Final = 8
"""Rounds of a loop in which nothing grows without end: folds, phases."""

_OF_SOME: Final = (ast.Lt, ast.LtE, ast.Eq, ast.In)
_OF_OTHERS: Final = (ast.Gt, ast.GtE, ast.NotEq, ast.NotIn)
"""Questions that must come to yes, and to no, for what may come but a few times."""


def is_endless(path: Path) -> bool:
    """Whether what the path leads to is such a sum itself, or lies in such a list or dict, be that
    within what is looked at each time anew: `callbacks[0].losses`.
    """
    files = own_files()
    whole, named = path.collection, [each for each in path.back() if not _is_element(each)]
    wholes = [whole] if whole is not None and whole not in named else []
    wholes += [each for each in reversed(named) if each is not path and each.container]
    wholes += [each for each in path.back() if each is not path and _is_under_a_name(each)]
    if any(each.container == _RING for each in path.back()):
        return False
    if any(_gathers(each, files) and _lasts(each, files) for each in wholes):
        return True
    return path in named and _only_adds_up(path) and _lasts(path, files)


def _is_under_a_name(path: Path) -> bool:
    """Whether it is a container that lies in a dict under a name: `state["weights"]`."""
    return path.label[:2] == "['" and bool(path.container)


def _is_element(path: Path) -> bool:
    return path.label[:1] in ("[", "")


def _gathers(whole: Path, files: list[str]) -> bool:
    if whole.container not in ("list", *_DICTS):
        return False
    if _only_adds_up(whole):  # sums, under places or keys
        return _loses_nothing(whole, files)
    return (_only_grows if whole.container == "list" else _only_fills)(whole, files)


def _only_adds_up(path: Path) -> bool:
    """Whether all that is done to it, or to what lies in it, is to go on from what it was, but for
    the first value.
    """
    later = [store for store in candidates(path) if not begins(store) and not is_first(store)]
    return bool(later) and all(store.goes_on and not _is_for_some(store) for store in later)


def _only_grows(whole: Path, files: list[str]) -> bool:
    """Whether all that is done to it is to add, as far as is known."""
    later = [store for store in candidates(whole) if not begins(store)]
    if not later or any(store.how not in ADDING or _is_for_some(store) for store in later):
        return False
    return _loses_nothing(whole, files)


def _only_fills(whole: Path, files: list[str]) -> bool:
    """Whether what it has under a name is only ever added to, or made where it is missing; or what
    it is given goes under names that count on.
    """
    later = [each for each in candidates(whole) if not begins(each)]
    later = [each for each in later if not stores_what_is_missing(each)]
    adding = (_adds_to_a_dict(each, files) and not _is_for_some(each) for each in later)
    return bool(later) and all(adding) and _loses_nothing(whole, files)


def _adds_to_a_dict(store: Store, files: list[str]) -> bool:
    """Not where the program has a way of its own to add: it may let go of what is old."""
    if store.how == "augment":
        return not any(functions_named(name, files) for name in ("__iadd__", "__add__"))
    counted = store.how == "assign" and "[" in store.target and keys_of([store]) > KEYS
    return counted or store.how in ADDING


def _loses_nothing(whole: Path, files: list[str]) -> bool:
    """Whether nothing is taken out of it, and nobody empties it, as far as is known."""
    names = {place.name for place in known_places([place_of(whole)], files)}
    if any(takes_out(files, name, attribute=whole.attribute) for name in names):
        return False
    gone = [place for _, _, place in emptied(names, files)]
    return not any(place.file or place.name in names for place in gone)  # a variable may be it


def _is_for_some(store: Store) -> bool:
    """Whether it may be that only some iterations add to it, as the first ones do: it stands behind
    a question for what is less, equal, or one of several, or in loops that come round a few times
    in all. `step % 3 == 0` comes again.
    """
    return 0 < comes_round(store) <= _FEW or any(
        isinstance(part, ast.Compare)
        and not _comes_again(part)
        and any(isinstance(op, _OF_SOME if wanted else _OF_OTHERS) for op in part.ops)
        for test, wanted in [*conditions(store.file, store.line), *graphs_if(store.node)]
        for part in ast.walk(test)
    )


def _comes_again(asked: ast.Compare) -> bool:
    """Whether it is a remainder that is compared; not what lies under one, `rows[step % 3]`."""
    subscripts = (part for part in ast.walk(asked) if isinstance(part, ast.Subscript))
    under = {id(part) for each in subscripts for part in ast.walk(each)}
    remainders = (part for part in ast.walk(asked) if isinstance(part, ast.BinOp))
    return any(isinstance(e.op, ast.Mod) and id(e) not in under for e in remainders)


def _begins_once(store: Store, files: list[str]) -> bool:
    """An episode's method may give its object a new one, ahead of the loop that fills it."""
    return store.constructs or runs_once(store.file, store.line, files)


def _lasts(whole: Path, files: list[str]) -> bool:
    """Whether there is one for the whole run: as its object is there, or its variable."""
    begun = [store for store in candidates(whole) if begins(store)]
    again = (e for e in begun if not (is_first(e) or stores_what_is_missing(e)))
    if not all(_begins_once(each, files) for each in again):
        return False
    if whole.attribute:
        given = not whole.owners or stores([ANY], files)  # by a name that is made up
        return not given and (is_built_once(whole.owners[0], files) or _stays(whole, files))
    return bool(begun)


def _is_of(store: Store, kind: type) -> bool:
    """Whether it may change such a container: by no method that it does not have."""
    return store.how in ("assign", "augment", "bind") or hasattr(kind, store.how)


def _stays(own: Path, files: list[str]) -> bool:
    """Whether the object whose attribute it is stays: another one's attribute that only a
    constructor gives, or in a container that is made with it, or a dict that makes it where it is
    missing, and that keeps it: a meter under its name.
    """
    thing = own.parent
    while thing is not None and not thing.label:
        thing = thing.parent
    within = thing.parent if thing is not None else None
    if thing is None or within is None or is_any_begun_again(files):
        return False
    if thing.label.startswith("."):
        given = candidates(thing)
        return bool(given) and all(map(begins, given)) and _lasts(thing, files)
    if within.container not in ("list", "tuple", *_DICTS):
        return False
    begun = [store for store in candidates(within) if begins(store)]
    kind = dict if within.container in _DICTS else list
    later = [each for each in candidates(within) if each not in begun and _is_of(each, kind)]
    return (
        all(map(leaves_it_there, later))
        and (not later or are_made_there(own.owners[0], files, begun))
        and _loses_nothing(within, files)
        and _lasts(within, files)
    )
