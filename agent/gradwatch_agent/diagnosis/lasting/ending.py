"""Whether what a name carries over is detached now and then, by the source; and the method that
would do so, if only somebody called it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.diagnosis.lasting.elapsed import is_over
from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.kept.emptied import is_emptied_now_and_then
from gradwatch_agent.kept.missing import stores_what_is_missing
from gradwatch_agent.kept.renewed import state_renewed_after
from gradwatch_agent.kept.sizes import most_in
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.containers import CONTAINERS
from gradwatch_agent.naming.lookups import value_at
from gradwatch_agent.naming.values import known_in
from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.flow.beginning import is_beginning
from gradwatch_agent.source.flow.calls import may_run
from gradwatch_agent.source.flow.loops import is_made_once
from gradwatch_agent.source.gradients.cut import cuts_a_part, cuts_now_and_then, ends_graphs
from gradwatch_agent.source.stored.stores import Store, known_places
from gradwatch_agent.source.syntax.statements import body_around

_WINDOW: Final = 20
"""Iterations: the windows over which people take a ratio, where it is not known how long one is."""

_UNROLL: Final = 256
"""Steps of an unroll that is walked once, at its end."""

_INTERVAL: Final = 40
"""Those after which people empty a container under a condition, where that is not known."""

_LONGEST: Final = 64
"""What holds more than that is as long a chain."""

_BESIDES: Final = 2
"""Iterations until what is full has shown that it is."""


def may_end(found: Iterable[Store], path: Path) -> bool:
    """Whether one of the stores into it may end its graph; not what cuts a half and no more, where
    nothing else is stored: the other half is let through each time.
    """
    later = [store for store in found if not begins(store)]
    if all(cuts_a_part(store.node) for store in later):
        return False
    cuts = (store for store in later if _may_cut(store) and _may_run(store, path))
    return any(not is_over(store, known_in(path, store.file, store.line)) for store in cuts)


def window(found: Iterable[Store], path: Path, *, apart: bool, walked: bool = True) -> int:
    """For how many iterations a way back through it may rightly grow: it is a container that
    something is taken out of, or made to hold so many, or a state that begins anew after so many;
    0 if it is neither, or known to last longer than any window that people keep. `apart`: each
    iteration's graph is in an element of its own. `walked`: each iteration goes all the way back,
    and does not leave that to one backward in the end, as an unroll or a simulation does.
    """
    rounds = state_renewed_after(path) or 0
    until = rounds + _BESIDES if 0 < rounds <= (_WINDOW if walked else _UNROLL) else 0
    return max(until, _room(list(found), path) if path.container and apart else 0)


def _room(stored: list[Store], path: Path) -> int:
    """The same of the container alone, by what it holds until something is taken out of it."""
    container = value_at(path)
    if issubclass(type(container), CONTAINERS):
        most = most_in(container, path, stored, own_files())
        if most is not None:
            return max(_WINDOW, most + _BESIDES) if most <= _LONGEST else 0
        if is_emptied_now_and_then(path):
            return _INTERVAL
    files = sorted({path.file, *(store.file for store in stored)})
    ends = takes_out(files, path.name, attribute=path.attribute) or any(map(_is_bounded, stored))
    return _WINDOW if ends else 0


def _is_bounded(store: Store) -> bool:
    """Whether it gives a container that is made to hold so many, whatever number that is."""
    keywords = (node for node in ast.walk(store.node) if isinstance(node, ast.keyword))
    return any(
        keyword.arg == "maxlen"
        and not (isinstance(keyword.value, ast.Constant) and keyword.value.value is None)
        for keyword in keywords
    )


def uncalled_cut(path: Path) -> str | None:
    """The call that would detach it, of a method of its object's that nothing calls."""
    owner = path.parent
    if not path.attribute or owner is None or "[...]" in owner.expression:
        return None
    for store in candidates(path):
        if store.own and ends_graphs(store.node) and not _may_run(store, path):
            method = body_around(store.file, store.line)
            if isinstance(method, ast.FunctionDef) and _takes_nothing(method):
                return f"{owner.expression}.{method.name}()"
    return None


def _takes_nothing(method: ast.FunctionDef) -> bool:
    given = method.args
    return len([*given.posonlyargs, *given.args]) == 1 and not given.kwonlyargs


def _may_cut(store: Store) -> bool:
    return ends_graphs(store.node) or cuts_now_and_then(store.node, own_files())


def begins(store: Store) -> bool:
    """Whether it is what a thing begins with, and no more."""
    at_first = is_beginning(store) or is_made_once(store) or stores_what_is_missing(store)
    return at_first or is_set_up(store.file, store.line, own_files())


def _may_run(store: Store, path: Path) -> bool:
    """Whether its function is called at all; of a method, on this very object."""
    if not store.function:
        return True
    owner, names = path.parent, set[str]()
    if path.attribute and store.own and owner is not None and owner.attribute and not owner.index:
        names = {place.name for place in known_places([place_of(owner)], own_files())}
    return may_run(store.function, own_files(), names)
