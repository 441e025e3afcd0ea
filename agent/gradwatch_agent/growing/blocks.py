"""What is said of a block of memory that is made longer and longer: a tensor, an array, a text."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.bounding import keep_of_it
from gradwatch_agent.diagnosis.place.at_line import at_statement
from gradwatch_agent.diagnosis.place.stored import Aliases, best, candidates, spoken, store_of
from gradwatch_agent.growing.measuring import Size
from gradwatch_agent.source.flow.beginning import is_beginning
from gradwatch_agent.source.flow.loops import is_made_once, loops_at
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import reads
from gradwatch_agent.source.syntax.statements import body_around, is_in
from gradwatch_agent.verdicts.case import Answer


def of_block(size: Size, aliases: Aliases) -> Answer:
    """At the statement that adds to it, where there is one."""
    name = spoken(size.path)
    fills = any(map(_is_cut, candidates(size.path, aliases)))
    answer = Answer(holder=name, fills=fills, suggestion=keep_of_it(name, size.things))
    return at_statement(answer, store_of(size.path, aliases, graphs=False))


def _is_cut(store: Store) -> bool:
    """Whether a part of what it was is all that stays: `bank = torch.cat([bank, keys])[-size:]`."""
    value = getattr(store.node, "value", None)
    parts = ast.walk(value) if store.how == "assign" and value is not None else ()
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Slice)
        and store.target in reads(part.value)
        for part in parts
    )


def is_made_longer(size: Size, aliases: Aliases) -> bool:
    """Whether what it was stays in it, as in `seen = torch.cat([seen, x])`: an accumulation, and no
    statement beside it that begins anew each time.
    """
    found = candidates(size.path, aliases)
    store = best(found, size.path, graphs=False)
    if store is None:  # one that is made but once, and written to by what it is given to
        return bool(found) and all(map(is_made_once, found))
    return store.accumulates and not any(_begins_anew(other, store) for other in found)


def _begins_anew(other: Store, store: Store) -> bool:
    """Whether it gives the name something else, in a loop around the one that adds to it, or for
    each call of the function where that is done in none.
    """
    body = body_around(store.file, store.line)
    if other.accumulates or other.how not in ("assign", "bind") or body is None:
        return False
    if (other.file, other.scope) != (store.file, store.scope) or is_beginning(other):
        return False
    return not store.in_loop or any(
        is_in([loop], other.line) for loop in loops_at(body, store.line)
    )
