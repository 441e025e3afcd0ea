"""What is said of a container that grows: by which name, by which statement, what to change."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final

from gradwatch_agent.advice.bounding import bound, let_go_early
from gradwatch_agent.advice.caching import ask_by_value, limit
from gradwatch_agent.advice.copies import store_copies
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.diagnosis.place.at_line import at_cache, at_line, at_statement
from gradwatch_agent.diagnosis.place.stored import (
    Aliases,
    best,
    candidates,
    is_of_others,
    is_set_once,
    spoken,
    store_of,
)
from gradwatch_agent.growing.measuring import Filled, Size
from gradwatch_agent.kept.emptied import is_emptied_now_and_then
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.kept.renewed import of_an_epoch, renewed_after
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.stored.stores import Store, attribute, stores
from gradwatch_agent.source.syntax.text import source_line
from gradwatch_agent.verdicts.case import Answer

_VIEWS: Final = 2
"""What keeps so many times as much as it shows are views."""


def of_container(size: Filled, before: Size | None, aliases: Aliases) -> Answer:
    """`before`: what it was at the first look."""
    path, store = _grown_by(size.path, aliases)
    if isinstance(before, Filled) and before.count == size.count:  # what lies in it grows
        size = replace(size, count=size.things)
    told = Answer(
        holder=spoken(path), fills=_fills(store, size), suggestion=_change(path, store, size)
    )
    if store is not None and store.how == "return":
        change = told.suggestion if size.lost else None
        return at_cache(told, store, lambda cache: change or limit(cache, size.count))
    if store is None and size.logged is not None:
        return at_line(told, *size.logged, source_line(*size.logged))
    return at_statement(told, store)


def _grown_by(path: Path, aliases: Aliases) -> tuple[Path, Store | None]:
    """What makes it grow, and what that puts things into: what another's class keeps to itself, as
    an `ExitStack` what it leaves, grows by calls of its object.
    """
    if path.field:
        return path, best(stores([attribute(path.field)], own_files()), path, graphs=False)
    store = store_of(path, aliases, graphs=path.container == "tee")
    if store is not None or path.parent is None:
        return path, store
    given = store_of(path.parent, aliases, graphs=False)
    if not is_of_others(path):
        return path, given if is_set_once(path) else None
    given = given if given is not None and given.certain else None
    return path.parent if given is not None or path.name[:1] == "_" else path, given


def _change(path: Path, store: Store | None, size: Filled) -> str:
    labels = ("[0]",) if size.tensors else ()
    name, files = size.path.name, tuple(own_files())
    kept = Kept(spoken(size.path), name, (size.path.kind,), labels, files=files)
    weight = size.weight
    if size.lost:
        return ask_by_value(kept, size.count)
    if weight.kept >= _VIEWS * weight.shown:
        return store_copies(kept, store, weight.shown / size.count, weight.kept / size.count)
    if path is not size.path and not size.limited:
        return let_go_early(spoken(path), size.count)
    made = _made_a_list(size.path, store) if size.path.kind == "list" else None
    return bound(kept, size.count, limited=size.limited, made=made)


def _made_a_list(path: Path, store: Store | None) -> Store | None:
    """The one statement of the same file that makes an empty one of it, by its name."""
    empty = [
        each for each in candidates(path) if each.how == "assign" and _is_empty_list(each.node)
    ]
    same = [each for each in empty if store is not None and each.file == store.file]
    return same[0] if len(same) == len(empty) == 1 and "[" not in same[0].target else None


def _is_empty_list(statement: ast.stmt) -> bool:
    match statement:
        case (
            ast.Assign(targets=[_], value=ast.List(elts=[]))
            | ast.AnnAssign(value=ast.List(elts=[]))
        ):
            return True
    return False


def _of_an_epoch(path: Path) -> int:
    """How many it holds before an outer loop begins it anew; 0 if none does, or not soon."""
    rounds = renewed_after(path, epochs=True)
    return rounds if rounds is not None and of_an_epoch(rounds) else 0


def _fills(store: Store | None, size: Filled) -> bool:
    """Whether it ends some time: it is made to hold so many, throws out what is old, is emptied now
    and then or begun anew by each epoch, or is a cache by the way it is made or filled, and what it
    is asked for comes again.
    """
    path = size.path
    if size.limited or size.count <= _of_an_epoch(path):
        return True
    if store is None:
        return size.keyed and not size.endless
    if takes_out([store.file], path.name, attribute=path.attribute):
        return True
    if is_emptied_now_and_then(path):
        return True
    is_cache = store.how == "return" or is_guarded(store.file, store.line)
    return is_cache and not size.endless
