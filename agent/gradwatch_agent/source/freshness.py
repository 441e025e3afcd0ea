"""Which stores can carry no graph, each variable judged by all that is stored in it. Pure."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TypeAlias

from gradwatch_agent.source.places import Index, Place
from gradwatch_agent.source.reading import is_fresh
from gradwatch_agent.source.scopes import Scope

Values: TypeAlias = dict[Place, list[tuple[list[ast.expr], Scope]]]
"""What each of the stores into a place stores, and where from."""


def settle(index: Index, values: Values) -> None:
    """Tells the index. All are taken to be fresh, until something says otherwise."""
    fresh = {place: [True] * len(every) for place, every in values.items()}
    changed = True
    while changed:
        changed = False
        for place, every in values.items():
            for number, (stored, scope) in enumerate(every):
                if fresh[place][number] and not _are_fresh(stored, place, scope, fresh):
                    fresh[place][number], changed = False, True
    for place, stores in index.puts.items():
        told = zip(stores, fresh[place], strict=True)
        index.puts[place] = [replace(store, fresh=known) for store, known in told]


def _are_fresh(
    stored: list[ast.expr], place: Place, scope: Scope, fresh: dict[Place, list[bool]]
) -> bool:
    def known(name: str) -> bool:
        home = scope.home(name)
        told = fresh.get(Place(place.file or scope.file, home.line, name))
        return told is not None and all(told) and name not in home.parameters

    return all(is_fresh(value, known) for value in stored)
