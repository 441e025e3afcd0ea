"""Whether a list has no end, or a sum: it is made once, only added to, and nothing empties it.

Of any other it takes more graphs to tell a leak from a block that is filled anew. Must not know
graphs.
"""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.diagnosis.lasting.ending import begins
from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.kept.emptied import emptied_in
from gradwatch_agent.kept.sizes import ADDING
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.once import is_built_once, runs_once
from gradwatch_agent.source.stores import ANY, Store, known_places, stores
from gradwatch_agent.source.text import nodes

_OF_SOME: Final = (ast.Lt, ast.LtE, ast.Eq, ast.In)


def is_endless(path: Path) -> bool:
    """Whether what the path leads to lies in such a list, the outermost one on the way, or is such
    a sum itself.
    """
    whole, files = path.collection, own_files()
    if whole is None:
        return _only_adds_up(path) and _lasts(path, files)
    if whole.container != "list":
        return False
    return _only_grows(whole, files) and _lasts(whole, files)


def _only_adds_up(path: Path) -> bool:
    later = [store for store in candidates(path) if not begins(store)]
    return bool(later) and all(store.adds_to_itself and not _is_for_some(store) for store in later)


def _only_grows(whole: Path, files: list[str]) -> bool:
    """Whether all that is done to it is to add, as far as is known."""
    later = [store for store in candidates(whole) if not begins(store)]
    if not later or any(store.how not in ADDING or _is_for_some(store) for store in later):
        return False
    names = {place.name for place in known_places([place_of(whole)], files)}
    if any(takes_out(files, name, attribute=whole.attribute) for name in names):
        return False
    emptied = [place for file in files for _, place in emptied_in(file)]
    return all(
        not place.file and place.name not in names for place in emptied
    )  # a variable: it may be


def _is_for_some(store: Store) -> bool:
    """Whether it may be that only some iterations add to it, as the first ones do: it stands behind
    a question for what is less, equal, or one of several. `step % 3 == 0` comes again.
    """
    return any(
        isinstance(part, ast.Compare)
        and not any(isinstance(each, ast.Mod) for each in ast.walk(part))
        and any(isinstance(op, _OF_SOME) for op in part.ops)
        for choice in nodes(store.file)
        if isinstance(choice, ast.If) and choice.lineno <= store.line <= (choice.end_lineno or 0)
        for part in ast.walk(choice.test)
    )


def _begins_once(store: Store, files: list[str]) -> bool:
    """An episode's method may give its object a new one, ahead of the loop that fills it."""
    return store.function == "__init__" or runs_once(store.file, store.line, files)


def _lasts(whole: Path, files: list[str]) -> bool:
    """Whether there is one for the whole run: as its object is there, or its variable."""
    if not all(_begins_once(store, files) for store in candidates(whole) if begins(store)):
        return False
    if whole.attribute:
        given = not whole.owners or stores([ANY], files)  # by a name that is made up
        return not given and is_built_once(whole.owners[0], files)
    return any(begins(store) for store in candidates(whole))
