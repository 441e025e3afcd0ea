"""What keeps its like: a list whose elements each keep the next one, or the one before."""

from __future__ import annotations

import ast
from dataclasses import replace

from gradwatch_agent.advice.rewriting import detached, replaced
from gradwatch_agent.advice.stored import stored
from gradwatch_agent.diagnosis.place.answering import Advise, answer_for
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.diagnosis.place.known import Known, kept
from gradwatch_agent.diagnosis.place.seen import Seen, among, nothing
from gradwatch_agent.diagnosis.place.stored import Aliases, best, candidates, spoken
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.calls import calls_of, nodes_with
from gradwatch_agent.source.stored.stores import Store, stores, variable
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer


def answer_for_linked(
    known: Known, advise: Advise, aliases: Aliases | None = None, seen: Seen = nothing
) -> Answer:
    """What to say of a list whose elements keep one another: each should keep no graph."""
    last = known.example
    holder = f"{spoken(known.path)}.{known.link}"  # the first one itself keeps but the newest
    how = f"its own `.{known.link}`, which keeps the next one, and so on"
    if all(store.constructs for store in candidates(last)):
        return replace(_where_they_are_made(known, advise, aliases, seen), holder=holder, how=how)
    told = _linked(known) if _is_walked(last.name) else _given(last)
    if told is not None:
        return replace(told, holder=holder, how=how)
    one = replace(known, path=last)
    return replace(answer_for(one, advise, aliases, seen), holder=holder, how=how)


def _where_they_are_made(
    known: Known, advise: Advise, aliases: Aliases | None, seen: Seen
) -> Answer:
    """Of a list whose elements are given the graph when they are made: where the next one is."""
    last = known.example
    one = replace(known, example=known.path.to(last.name, last.owners))
    found = candidates(known.path, aliases)
    store = best(among(found, seen(known.path)), known.path, known.made, known.used)
    store = _made_ahead(store, last.owners) or store
    answer = Answer(holder=spoken(known.path), suggestion=advise(kept(one, found), store))
    return at_line(answer, store.file, store.line, store.code) if store is not None else answer


def _made_ahead(store: Store | None, kinds: tuple[str, ...]) -> Store | None:
    """Where the variable that is stored was made, if one statement of the function does."""
    value = stored(store) if store is not None else None
    if store is None or not isinstance(value, ast.Name):
        return None
    given = stores([variable(store.file, store.scope, value.id)], [store.file])
    calls = ((each, stored(each)) for each in given)
    made = [each for each, call in calls if isinstance(call, ast.Call) and called(call) in kinds]
    return made[0] if len(made) == len(given) == 1 else None


def _is_walked(name: str) -> bool:
    """Whether backward is called on an attribute of that name."""
    walked = (call.func for _, call in calls_of("backward", own_files()))
    owners = (func.value for func in walked if isinstance(func, ast.Attribute))
    return any(isinstance(owner, ast.Attribute) and owner.attr == name for owner in owners)


def _given(attribute: Path) -> Answer | None:
    """Where no statement stores into the attribute, but one call gives it by its name, to be handed
    on to whatever makes such an object: `state.advance(energy=energy)`.
    """
    if any(store.certain and not store.fresh for store in candidates(attribute)):
        return None
    if (found := _by_keyword(attribute.name)) is None:
        return None
    file, statement, value = found
    code = replaced(statement, value, detached(value))
    answer = Answer(suggestion=f"Store it without its graph: `{code}`.")
    return at_line(answer, file, statement.lineno, code_of(file, statement))


def _linked(known: Known) -> Answer | None:
    """Where one call gives the link by its name, of objects by which the loss trains: there it is
    not the graph that is too much, but that the next one still leads to it.
    """
    if (found := _by_keyword(known.link)) is None:
        return None
    file, statement, value = found
    cut = f"detach the `.{known.example.name}` of `{ast.unparse(value)}`"
    answer = Answer(suggestion=f"Once backward is done, {cut}, or link to what keeps no graph.")
    return at_line(answer, file, statement.lineno, code_of(file, statement))


def _by_keyword(name: str) -> tuple[str, ast.stmt, ast.expr] | None:
    """The one statement that gives something by that name in a call: its file, and what it is."""
    given = [
        (file, node, keyword.value)
        for file, node in nodes_with(name, own_files())
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == name and not isinstance(keyword.value, ast.Constant)
    ]
    statement = statement_at(given[0][0], given[0][1].lineno) if len(given) == 1 else None
    return (given[0][0], statement, given[0][2]) if statement is not None else None
