"""What is put into a container with its graph, and goes on from there. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.beside import empty_it_too
from gradwatch_agent.advice.going_on import cut_as_read
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import (
    is_bare,
    put_call,
)
from gradwatch_agent.advice.stored import stored
from gradwatch_agent.advice.storing import store_it
from gradwatch_agent.advice.timing import GO_ON, ONWARD, at_its_time
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.kept.taking import takes_out
from gradwatch_agent.source.flow.emptying import filled_beside, is_drawn_by_chance, is_handed_out
from gradwatch_agent.source.flow.onward import goes_on_itself, is_done_last, runs_in_a_round
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import reads


def of_what_is_put_in(kept: Kept, store: Store, code: str) -> str:
    """Where the loss is made of what lies there, old and new, it is the old that is too much.
    `code`: the statement, storing no graph; empty if that is not to be told how.
    """
    if (beside := empty_it_too(store, None if kept.lone else code)) is not None:
        return beside
    if (read := cut_as_read(kept, store)) is not None:
        return f"{ONWARD}`{read}`."
    if code and _is_nameless(store) and not runs_in_a_round(store.file, store.line, kept.files):
        return store_it(kept, store, code)
    onward = (kept.through or (kept.only and not kept.lone)) and not kept.renewed
    itself = (kept.lone or kept.renewed) and goes_on_by_itself(kept, store)
    lone = kept.lone and not itself
    if onward or (lone and _goes_on(store)):
        last = is_done_last(store.file, store.line, kept.files)
        if last and code and not lone:
            return store_it(kept, store, code)
        return at_its_time(kept, whole_detached(kept, store), last=last)
    taken = is_handed_out(store) or is_drawn_by_chance(kept.name, kept.files)
    if lone and kept.freed and taken:
        return (
            "The backward of its own iteration frees its graph: keep what it was computed from "
            "instead, and compute it anew where it is taken out."
        )
    if lone:
        owner = kept.expression.rpartition(".")[0]
        every = [kept.expression, *(f"{owner}.{name}" for name in filled_beside(store) if owner)]
        clear = "; ".join(f"{each}.clear()" for each in every)
        return f"{GO_ON}`{clear}`, for the loss trains by what lies there."
    if kept.renewed and not itself:
        return _of_all_that_lies_there(kept, store, code)
    return store_it(kept, store, code)


def _of_all_that_lies_there(kept: Kept, store: Store, code: str) -> str:
    """Where the loss reaches all of it: what is stored must keep its graph until its own backward
    is done, at least where some weights learn by it alone.
    """
    empty, attribute = f"`{kept.expression}.clear()`", "." in kept.expression
    ring = kept.kinds[:1] == ("deque",) or takes_out(kept.files, kept.name, attribute=attribute)
    if kept.only:
        cut = f"`{whole_detached(kept, store)}`"
        more = "" if ring else f"; or, if what is old is not to stay there, {empty}"
        return f"{GO_ON}{cut}{more}."
    if ring:  # what is old is to stay there
        only = f"if it is to hold this iteration's alone, {empty}"
        return f"{store_it(kept, store, code).removesuffix('.')}; or, {only} once backward is done."
    cut = f"`{whole_detached(kept, store)}`"
    return f"{GO_ON}{empty}; or, if what is old is to stay there, {cut}."


def goes_on_by_itself(kept: Kept, store: Store) -> bool:
    """Whether the loss is made of what is put in without the container, too."""
    value = stored(store)
    return value is not None and goes_on_itself(value, store.file, store.line, kept.files)


def _is_nameless(store: Store) -> bool:
    """Whether it gives a value, known by another name, to an attribute that only a variable names:
    `setattr(self, key, mean)`.
    """
    call = put_call(store) if store.how == "setattr" else None
    if call is None or len(call.args) != 3:
        return False
    return not isinstance(call.args[1], ast.Constant) and is_bare(call.args[2])


def _goes_on(store: Store) -> bool:
    """Whether what it puts in is made of what lies there: `last.append(0.5 * last[-1] + x)`."""
    value = stored(store)
    return value is not None and store.target in reads(value)
