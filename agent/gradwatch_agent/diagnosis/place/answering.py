"""An answer from a name: where it is stored, and what to change there."""

from __future__ import annotations

import ast
import functools
import itertools
from collections.abc import Callable
from dataclasses import replace

from gradwatch_agent.advice.by_name import by_its_name
from gradwatch_agent.advice.caching import leave_away
from gradwatch_agent.advice.cutting import cut_the_chain
from gradwatch_agent.advice.emptying import is_trained_through
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.letting_go import let_go
from gradwatch_agent.advice.logged import logged_plain
from gradwatch_agent.advice.returning import handed_back
from gradwatch_agent.advice.trained import is_trained_by
from gradwatch_agent.advice.whole import handed_over, without_its_graph
from gradwatch_agent.diagnosis.lasting.ending import may_end, window
from gradwatch_agent.diagnosis.place.at_line import at_cache, at_line, at_site
from gradwatch_agent.diagnosis.place.by_key import given_with_its_key, put_under_its_key
from gradwatch_agent.diagnosis.place.drawn import drawn, is_loop
from gradwatch_agent.diagnosis.place.handed import (
    by_constructor,
    by_setter,
    put_together,
    returned,
)
from gradwatch_agent.diagnosis.place.known import Known, kept
from gradwatch_agent.diagnosis.place.lambdas import where_a_lambda_is_made
from gradwatch_agent.diagnosis.place.logged import where_logged
from gradwatch_agent.diagnosis.place.made_with import where_made
from gradwatch_agent.diagnosis.place.misused import where_misused
from gradwatch_agent.diagnosis.place.moved import where_put_in
from gradwatch_agent.diagnosis.place.seen import Seen, among, hands_back, nothing, tells
from gradwatch_agent.diagnosis.place.stored import (
    Aliases,
    best,
    candidates,
    is_given_as_a_whole,
    is_of_others,
    is_on,
    known_as,
    of_any_attribute,
)
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.lookups import size_at
from gradwatch_agent.source.flow.ahead import is_once
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import (
    statements_of,
)
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer

Advise = Callable[[Kept | None, Store | None], str]


def answer_for(
    known: Known, advise: Advise, aliases: Aliases | None = None, seen: Seen = nothing
) -> Answer:
    """What to say of a name that keeps a graph."""
    path = known.path
    found = candidates(path, aliases)
    thing = kept(known, found)
    stored = seen(path) if path.container != "tee" else ()  # nobody stores: another one goes ahead
    stored = tuple(site for site in stored if tells(site, found))
    store, thing = _stored(known, thing, among(_into(known, thing, found), stored))
    answer = Answer(
        holder=known_as(path),
        how=path.via or known.example.via,
        many=_many(known),
        counted=functools.partial(_counted, path),
        suggestion=advise(thing, store),
        bounded=may_end(found, path),
        window=window(found, path, apart=known.apart, walked=known.walked),
        comes_back=store is not None and _comes_back(thing, store),
    )
    elsewhere = where_made(answer, known, thing, found) or where_logged(answer, known, thing)
    if elsewhere is not None:
        return elsewhere
    if known.made and is_loop(store, stored):
        if known.used:
            return drawn(answer, known.made[0], store)
        back = next((site for site in stored if hands_back(site)), None)
        made = known.made[0]
        return at_site(answer, made) if back is None else _at_statement(answer, back, thing)
    if store is not None and store.how == "return":
        return at_cache(answer, store, lambda cache: leave_away(thing, cache, store.node))
    if store is not None:
        elsewhere = where_a_lambda_is_made(answer, known, store) if thing.closed else None
        if elsewhere is None and advise in (let_go, cut_the_chain):
            elsewhere = where_misused(answer, known, thing, store, sums=advise is let_go)
        return elsewhere or _at_store(answer, store, thing)
    return _where_seen(answer, known, stored, thing, advise)


def _comes_back(thing: Kept, store: Store) -> bool:
    """Whether the loss trains by what lies in a list. Of a dict nobody knows whether the same key
    is ever asked for again.
    """
    listed = thing.kinds[thing.keyed : thing.keyed + 1] in (("list",), ("deque",))
    return listed and (is_trained_through(thing, store) or is_trained_by(thing, store))


def _stored(known: Known, thing: Kept, into: list[Store]) -> tuple[Store | None, Kept]:
    """The statement to change, and what is known of the thing there; `into`: those that may have
    put the graph there.
    """
    inside = known.example.steps > known.path.steps
    store = best(into, known.path, known.made, known.used, inside=inside)
    if store is None:
        return None, thing
    store = by_setter(store, own_files())
    if known.used or not is_trained_by(thing, store):  # else what is stored must keep its graph
        store = put_together(store, thing, own_files())
        store = given_with_its_key(store, thing, known.made, own_files())
    store, thing = where_put_in(store, thing, known)
    given = by_constructor(store, own_files()) if not inside else store
    if is_on(given, known.made) and is_once(given, own_files()):
        store = given
    deeper = any(not is_on(store, lines) for lines in (known.made, *known.beneath) if lines)
    return store, replace(thing, once=is_once(store, own_files()), deeper=deeper)


def _into(known: Known, thing: Kept, found: list[Store]) -> list[Store]:
    """Of the statements that may have stored the thing, those that may have put the graph there."""
    if thing.is_object and not is_given_as_a_whole(known.example, tensor=known.by_tensor):
        into = [store for store in found if store.how not in ("assign", "bind")]
        return into + of_any_attribute(known.example)
    if known.path.attribute and not found:
        return of_any_attribute(known.path)
    return found


def _where_seen(
    answer: Answer, known: Known, stored: tuple[Site, ...], thing: Kept, advise: Advise
) -> Answer:
    """Where no statement is known to store it: where one was seen to, or where it was used."""
    if thing.needed and (given := _given_to_its_function(known)) is not None:
        return at_site(answer, given)
    if stored and (call := _handed_over(known, stored[-1], thing)) is not None:
        told = replace(answer, suggestion=advise(thing, call))
        return at_line(told, call.file, call.line, call.code)
    asked = not stored or is_of_others(known.path)
    whole = _with_its_object(answer, known, advise) if asked else None
    if whole is not None and (not stored or _is_at(whole, stored[-1])):
        return whole
    if stored:
        return _at_statement(answer, stored[-1], thing)
    if (put := put_under_its_key(known)) is not None:
        return at_line(answer, put.file, put.line, put.code)
    if (back := _handed_back(answer, known, thing)) is not None:
        return back
    return at_site(answer, known.used[0]) if known.used else answer


def _given_to_its_function(known: Known) -> Site | None:
    """Where the argument of a function was made, by the statement that calls this one."""
    function = known.path.named.function
    for site in known.made if function and not known.path.steps else ():
        statement = statement_at(site.file, site.line)
        calls = (node for node in ast.walk(statement or ast.Pass()) if isinstance(node, ast.Call))
        if any(called(call) == function for call in calls):
            return site
    return None


def _handed_back(answer: Answer, known: Known, thing: Kept) -> Answer | None:
    """Where its function hands it back, to be given it again: of a `functools.reduce`."""
    path = known.path
    if path.parent is not None or not path.file:
        return None
    for each in statements_of(path.file, path.line):
        if isinstance(each, ast.Return) and (said := by_its_name(thing, path.file, each)):
            told = replace(answer, suggestion=said)
            return at_line(told, path.file, each.lineno, code_of(path.file, each))
    return None


def _is_at(answer: Answer, site: Site) -> bool:
    """Whether that is the statement of the line."""
    statement = statement_at(site.file, site.line)
    return statement is not None and (answer.file, answer.line) == (site.file, statement.lineno)


def _handed_over(known: Known, site: Site, thing: Kept) -> Store | None:
    """The statement of that line, as an attribute is stored by it of an object that lies in the
    thing; or the call that makes what it merely puts away.
    """
    steps = itertools.takewhile(lambda step: step is not known.path, known.example.back())
    given = [store for step in steps if step.attribute for store in candidates(step)]
    within = next((store for store in given if is_on(store, (site,))), None)
    return put_together(within, thing, own_files()) if within is not None else None


def _with_its_object(answer: Answer, known: Known, advise: Advise) -> Answer | None:
    """Of an attribute that its object alone is given: where the object is put. By a call that
    makes it on the spot, and where the object is of another's class, what to change is there; else
    it is known of the attribute. None of any other.
    """
    path = known.path
    if path.parent is None or not is_given_as_a_whole(path, tensor=known.example is path):
        return None
    said = known.in_loop.removesuffix(path.label)
    in_loop = said if said != known.in_loop else ""
    whole = answer_for(replace(known, path=path.parent, in_loop=in_loop), advise)
    statement = statement_at(whole.file or "", whole.line or 0)
    there = isinstance(statement, ast.Expr) or is_of_others(path)
    advised = whole if there else answer
    return replace(whole, holder=answer.holder, suggestion=advised.suggestion)


def _many(known: Known) -> str:
    """What the name stands for, where that is a collection: one of many elements leads on."""
    path = known.path
    element = next((step for step in known.example.back() if step.parent is path), None)
    is_one_of_many = element is not None and element.index and bool(element.label)
    return f"{path.container} of {path.size:,}" if path.container and is_one_of_many else ""


def _counted(path: Path) -> str:
    """What the name stands for, with as many elements as there are by now."""
    size = size_at(path)
    return f"{path.container} of {size:,}" if size is not None else path.container


def _at_store(answer: Answer, store: Store, thing: Kept) -> Answer:
    """At the statement that stores; or, where that is to be changed, at the one that puts together
    what is stored.
    """
    back = handed_back(thing, store)
    if back is not None and back.advice == answer.suggestion:
        code = code_of(back.file, back.statement)
        return at_line(answer, back.file, back.statement.lineno, code)
    return at_line(answer, store.file, store.line, store.code)


def _at_statement(answer: Answer, site: Site, thing: Kept) -> Answer:
    """At one that was seen to store, in a way that its text does not tell."""
    statement = statement_at(site.file, site.line)
    if statement is None:
        return at_site(answer, site)
    if (made := returned(statement, thing.name, own_files())) is not None:
        told = replace(answer, suggestion=without_its_graph(thing, made.statement, made.value))
        return at_line(told, made.file, made.statement.lineno, code_of(made.file, made.statement))
    advice = logged_plain(thing, statement) or handed_over(thing, statement)
    advice = advice or by_its_name(thing, site.file, statement)
    told = replace(answer, suggestion=advice or answer.suggestion)
    return at_line(told, site.file, statement.lineno, code_of(site.file, statement))
