"""How many iterations' graphs one container may rightly come to hold: by what it is made with, by
how it is filled so far, by what the program does to it. Must not know names beyond its own.
"""

from __future__ import annotations

import ast
import math
from collections import deque
from collections.abc import Collection
from typing import Any, NamedTuple

from gradwatch_agent.diagnosis.lasting.elapsed import graphs_left
from gradwatch_agent.diagnosis.lasting.ending import begins
from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.kept.bounds import EMPTIED, KEYS, bounded, room_in, room_in_window
from gradwatch_agent.kept.emptied import is_emptied
from gradwatch_agent.kept.renewed import of_an_epoch, renewed_after
from gradwatch_agent.kept.sizes import ADDING, most_in, outgrows
from gradwatch_agent.kept.spelled import is_into, spelled
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.containers import size_of
from gradwatch_agent.naming.lengths import length
from gradwatch_agent.naming.lookups import value_at
from gradwatch_agent.naming.values import known_in
from gradwatch_agent.source.flow.counting import counts
from gradwatch_agent.source.flow.once import runs_once
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.targets import fills_a_slice


class Capacity(NamedTuple):
    """Of one container."""

    room: int
    sure: bool = False
    """Whether that is known."""
    sheds: bool = False
    """Whether the program takes something out of it."""


def capacity(
    container: Collection[Any],
    path: Path,
    places: list[tuple[int, int]],
    sizes: dict[str, int],
    *,
    grows: bool,
    nested: bool = False,
) -> Capacity:
    """What is held to thousands has no room: a graph costs more than a number. `places`: where it
    holds some, and the newest there; `sizes`: of containers, from one look to the next; `grows`:
    it has more elements than it had; `nested`: these are lists, and the room is for so many of
    them.
    """
    stored = candidates(path)
    if (most := most_in(container, path, stored, own_files())) is not None:
        return Capacity(bounded(most), sure=True)
    own = [store for store in stored if is_into(store, spelled(path, store.file))]
    if room := bounded(_in_the_end(places, path, own, sizes)):
        return Capacity(room)
    if not grows and (
        (nested and _has_all(container, own, stored))
        or _is_handed_over(container, own, stored, path)
    ):
        return Capacity(bounded(size_of(container)))
    room = room_in(container, places, grows=grows)
    sure = not issubclass(type(container), dict)
    if (room == KEYS and keys_of(stored) > KEYS) or _only_adds(container, own):
        room = 0
    elif not room and _fills_slots(container, own):
        room = bounded(size_of(container))
    elif not room and _fills_anew(container, own):
        room, sure = KEYS, False
    if _takes_out(container, path, stored):
        count = len({generation for _, generation in places})
        window = room_in_window(size_of(container), count)
        return Capacity(max(room, window), sure=sure and window <= room, sheds=True)
    if (rounds := renewed_after(path, epochs=True)) is not None and bounded(rounds) > room:
        return Capacity(of_an_epoch(rounds), sure=True)
    if room < EMPTIED and (is_emptied(container, path) or _goes_with_its_owner(path)):
        return Capacity(EMPTIED)
    return Capacity(room, sure)


def _in_the_end(
    places: list[tuple[int, int]], path: Path, own: list[Store], sizes: dict[str, int]
) -> float:
    """How many elements come to hold a graph, of one that is filled while something is counted;
    infinity also where that was over at an earlier look, and there are more now.
    """
    later = [store for store in own if not begins(store)]
    each = (graphs_left(store, known_in(path, store.file, store.line)) for store in later)
    left, count = max(each, default=math.inf), len(places)
    if not left and count > sizes.setdefault(f"{path.expression}: when it was over", count):
        return math.inf
    return count + left


def _takes_out(container: Collection[Any], path: Path, stored: list[Store]) -> bool:
    """Whether the program takes something out of it; of an element, not by what it has outgrown."""
    # Of an attribute, where it is stored into: elsewhere the same name is another thing's.
    files = sorted({path.file, *(store.file for store in stored if path.attribute)})
    owners = path.owners if spelled(path, path.file).within else None
    if owners is not None and outgrows(container, path, stored, own_files()):
        return False
    kinds = path.classes[:-1]
    return takes_out(files, path.name, attribute=path.attribute, owners=owners, kinds=kinds)


def _has_all(container: Collection[Any], own: list[Store], stored: list[Store]) -> bool:
    """Whether it is a list to whose lists something is added, and never another list to it."""
    adds = any(store.how in ADDING for store in own)
    return issubclass(type(container), list) and len(own) < len(stored) and not adds


def _is_handed_over(
    container: Collection[Any], own: list[Store], stored: list[Store], path: Path
) -> bool:
    """Whether it is a tuple that a name is given, and that is not put together there; or a list to
    which nothing is added by any name that it has, either.
    """
    into = stored if issubclass(type(container), list) else own
    given = [store for store in own if not store.fresh]
    return (
        issubclass(type(container), tuple | list)
        and not path.index
        and bool(given)
        and not any(store.accumulates or _puts_together(store.node) for store in into)
    )


def _puts_together(statement: ast.stmt) -> bool:
    """`(*old, loss)`, `old + (loss,)`."""
    given = [getattr(statement, name, None) for name in ("value", "iter")]
    parts = (part for value in given if value is not None for part in ast.walk(value))
    return any(isinstance(part, ast.Starred | ast.Add) for part in parts)


def _only_adds(container: Collection[Any], stored: list[Store]) -> bool:
    """Whether no slot of a list is filled anew, by the source: a heap's order tells nothing."""
    later = [store for store in stored if not begins(store)]
    adds = bool(later) and all(store.how in ADDING for store in later)
    return issubclass(type(container), list) and adds


def _fills_slots(container: Collection[Any], stored: list[Store]) -> bool:
    """Whether all that is done to a list, or a deque, is to give a slot something else, which is
    not made of what was there: `wheel.rotate(1); wheel[0] = item`.
    """
    later = [s for s in stored if s.how != "assign" or s.target.endswith("]") or s.accumulates]
    fills = all(
        s.how == "assign" and not s.accumulates and not fills_a_slice(s.node) for s in later
    )
    return issubclass(type(container), list | deque) and bool(later) and fills


def _goes_with_its_owner(path: Path) -> bool:
    """Whether what has it is an object in a list of which, again and again, a slot is given another
    one: what the old one has gathered goes with it.
    """
    owner = path.parent if path.attribute else None
    whole = owner.parent if owner is not None and owner.index else None
    container: Any = value_at(whole) if whole is not None else None
    if whole is None or not issubclass(type(container), list):
        return False
    into = [each for each in candidates(whole) if is_into(each, spelled(whole, each.file))]
    again = (not runs_once(each.file, each.line, own_files()) for each in into if not begins(each))
    return _fills_slots(container, into) and any(again)


def _fills_anew(container: Collection[Any], stored: list[Store]) -> bool:
    """Whether a slot of a list is, by the source, given something else when the list is full:
    `self.pool[i] = fake`, beside the `append` that fills it first.
    """
    hows = {store.how for store in stored if store.how != "assign" or store.target.endswith("]")}
    return issubclass(type(container), list) and hows > {"assign"} and not hows.isdisjoint(ADDING)


def keys_of(stored: list[Store]) -> float:
    """How many keys the statements come to use, one after the other; 0 where that is not known."""
    files = own_files()
    return max((counts(store, files, length) for store in stored), default=0)
