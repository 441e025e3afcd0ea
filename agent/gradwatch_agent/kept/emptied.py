"""Whether a program empties a container again and again, `outputs.clear()` as an epoch ends, or has
an empty one take its place.

Not known by it is how many come to be there until then. Must not know graphs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Any

from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.kept.renewed import whole_of
from gradwatch_agent.kept.replaced import is_replaced
from gradwatch_agent.kept.sizes import outgrows
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.flow.beginning import is_beginning
from gradwatch_agent.source.flow.callers import callers, is_again, is_called_in_a_loop
from gradwatch_agent.source.flow.calls import may_run
from gradwatch_agent.source.flow.emptying import emptied_at
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.flow.once import runs_once
from gradwatch_agent.source.stored.stores import Store, known_places
from gradwatch_agent.source.syntax.places import GIVING
from gradwatch_agent.source.syntax.statements import body_around, is_chosen


def is_emptied(container: Collection[Any], path: Path) -> bool:
    """Whether it is, the container that the path leads to, or the one by whose name it goes; not
    where that is done at a size that it has outgrown.
    """
    files = own_files()
    known = known_places([place_of(path)], files)
    again = any(_runs_again(file, line, files) for file, line in emptied_at(known, files))
    passes = _passes(whole_of(path))
    made = [s for s in candidates(whole_of(path)) if passes or not s.constructs]
    if again or any(_begins_anew(store, files) for store in made):
        return not outgrows(container, path, candidates(path), files)
    return False


def _passes(path: Path) -> bool:
    """Whether other objects take the place of the one whose attribute it is: it lies in no
    collection, or in one that lets go of some or is made anew as a whole.
    """
    around = [step.parent for step in path.back() if step.label[:1] == "[" and step.parent]
    files = own_files()
    lets_go = any(takes_out(files, each.name, attribute=each.attribute) for each in around)
    return not around or lets_go or is_replaced(path)


def is_emptied_now_and_then(path: Path) -> bool:
    """Whether that is done under a condition of its own, as `if version != self.version`, and not
    merely where an epoch begins.
    """
    files = own_files()
    found = list(emptied_at(known_places([place_of(path)], files), files))
    anew = [store for store in candidates(path) if store.fresh and store.how == "assign"]
    found += [(s.file, s.line) for s in anew if not s.accumulates and not is_beginning(s)]
    return any(is_chosen(file, line) and _runs_again(file, line, files) for file, line in found)


def _begins_anew(store: Store, files: Collection[str]) -> bool:
    """Whether it gives the name what has no graphs, again and again: in a loop, or in a function
    that one calls, as an epoch's, or the constructor of a client of each round.
    """
    anew = store.fresh and store.how in GIVING and "[" not in store.target
    if not anew or store.accumulates or is_beginning(store):
        return False
    body = body_around(store.file, store.line)
    if body is None or loops_at(body, store.line):
        return body is not None
    return any(
        (is_again(file, call) or is_called_in_a_loop(file, call.lineno, files))
        and not runs_once(file, call.lineno, files)
        for file, call in callers(store.file, store.line, files)
    )


def _runs_again(file: str, line: int, files: Collection[str]) -> bool:
    """Whether that is done more than once, as far as is known, and not only ahead of training."""
    body = body_around(file, line)
    called = isinstance(body, ast.Module) or body is None or may_run(body.name, files)
    return called and not runs_once(file, line, files) and not is_set_up(file, line, files)
