"""What keeps its graphs from where it was made: no statement stores them later."""

from __future__ import annotations

import ast
import itertools
from dataclasses import replace

from gradwatch_agent.advice.caching import forget
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.summing import accumulating, is_drawn_so, without_the_total_before
from gradwatch_agent.advice.whole import without_its_graph
from gradwatch_agent.diagnosis.place.at_line import at_default, at_line
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.lookups import value_at
from gradwatch_agent.source.flow.filling import Filled, filled
from gradwatch_agent.source.flow.leftover import leave_one
from gradwatch_agent.source.stored.caches import cache_made
from gradwatch_agent.source.stored.stores import Store, known_places
from gradwatch_agent.source.syntax.text import code_of
from gradwatch_agent.verdicts.case import Answer


def where_made(answer: Answer, known: Known, thing: Kept, found: list[Store]) -> Answer | None:
    """The answer for a function with its default, for one that a call made remember, for a record
    whose field it is, for a running total, for the last of a list. None for all else. `found`: the
    statements that may have stored it.
    """
    if thing.default is not None:
        return at_default(answer, thing.default)
    cache = next((store for store in found if cache_made(store.node) is not None), None)
    if cache is not None and not known.path.kind:
        told = replace(answer, suggestion=forget(thing, cache))
        return at_line(told, cache.file, cache.line, cache.code)
    trains = known.freed and known.path.container and (known.lone or known.renewed)
    if trains and (last := _of_the_last(answer, known)) is not None:
        return last
    if type(value_at(known.path)) is itertools.accumulate or any(map(is_drawn_so, found)):
        return _of_totals(answer, found)
    if not found and (made := _only_made(known)) is not None:
        told = replace(answer, suggestion=without_its_graph(thing, made.statement, made.value))
        return at_line(told, made.file, made.statement.lineno, code_of(made.file, made.statement))
    return None


def _of_the_last(answer: Answer, known: Known) -> Answer | None:
    """Where what one iteration has trained by is emptied but for the last: of all that lies there
    only that one is of an iteration before.
    """
    files = own_files()
    left = list(leave_one(known_places([place_of(known.path)], files), files))
    if len(left) != 1:
        return None
    file, statement = left[0]
    advice = (
        "This leaves there what the backward has freed, and the next one walks it again: leave "
        f"nothing there, `{_emptied(statement)}`."
    )
    told = replace(answer, suggestion=advice)
    return at_line(told, file, statement.lineno, code_of(file, statement))


def _emptied(statement: ast.stmt) -> str:
    """The statement, leaving none."""
    match statement:
        case ast.Delete(targets=[ast.Subscript(value=whole)]):
            return f"del {ast.unparse(whole)}[:]"
        case ast.Assign(targets=[target]):
            return f"{ast.unparse(target)} = []"
    raise AssertionError(statement)


def _of_totals(answer: Answer, found: list[Store]) -> Answer | None:
    """Where `itertools.accumulate` is called, if in one place alone."""
    calls = [(store, call) for store in found if (call := accumulating(store)) is not None]
    if len(calls) != 1:
        return None
    store, call = calls[0]
    told = replace(answer, suggestion=without_the_total_before(store, call))
    return at_line(told, store.file, store.line, store.code)


def _only_made(known: Known) -> Filled | None:
    """Where the record is made whose field it is, if in one place alone, or in one of the lines by
    which the tensor was made; and no name is given it: it is a function's parameter.
    """
    path = known.path
    if not path.attribute or path.parent is None or candidates(path.parent):
        return None
    made = [each for kind in path.owners for each in filled(kind, path.name, own_files())]
    by_line = [each for each in made if any(_is_at(each, site) for site in known.made)]
    likely = by_line or made
    return likely[0] if len(likely) == 1 else None


def _is_at(made: Filled, site: Site) -> bool:
    span = range(made.statement.lineno, (made.statement.end_lineno or 0) + 1)
    return site.file == made.file and site.line in span
