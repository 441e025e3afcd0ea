"""Where a function that trains puts together the state that it hands on to the next call.

Of `state, loss = step(state, batch)` that is within, its backward done: `new = {"carry": carry}`,
ahead of `return new, loss`. Elsewhere a state must not be cut there, for the loss is yet to be made
of it.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence
from typing import Final

from gradwatch_agent.advice.gathering import Put, puts_by_name, puts_in
from gradwatch_agent.advice.rewriting import all_replaced, replaced
from gradwatch_agent.advice.timing import is_of_one_statement
from gradwatch_agent.diagnosis.chain.gathered import labels_within
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.gradients.training import calls_backward
from gradwatch_agent.source.syntax.reading import called, names_given
from gradwatch_agent.source.syntax.statements import Function, body_around
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer

_UNTRACKED: Final = "Build it under `with torch.no_grad():`, for no backward is to walk it."


def where_handed_on(answer: Answer, carriers: Sequence[Known]) -> Answer | None:
    """The same answer, told within the function that the statement it names calls; None if not all
    the carriers are put together in one statement there.
    """
    statement = statement_at(answer.file or "", answer.line or 0)
    call = statement.value if isinstance(statement, ast.Assign) else None
    leaves = {each.leaf for each in carriers}
    if statement is None or not isinstance(call, ast.Call) or len(leaves) != 1:
        return None
    found = callees(call, own_files())
    if len(found) != 1 or _trains_later(answer.file or "", statement):
        return None
    wanted = [labels for each in carriers for labels in _wanted(each, statement)]
    put = [_put(*found[0], labels) for labels in wanted]
    places = {(file, each.statement): None for file, each in filter(None, put)}
    if not put or None in put or len(places) != 1:
        return None
    file, where = next(iter(places))
    every = [each for _, each in filter(None, put)]
    if any(each.rest and not each.key for each in every):
        return None if True in leaves else _told(answer, file, where, _UNTRACKED)
    cut = [(e.value, e.as_leaves if True in leaves else e.without_its_graph) for e in every]
    code = all_replaced(where, cut)
    return _told(answer, file, where, f"Store it without its graph: `{code}`.")


def _told(answer: Answer, file: str, where: ast.stmt, suggestion: str) -> Answer:
    code = code_of(file, where)
    return dataclasses.replace(
        answer, file=file, line=where.lineno, code=code, suggestion=suggestion
    )


def where_made_last(answer: Answer, carriers: Sequence[Known]) -> Answer | None:
    """The same answer, told where a function makes what all of them are, its training done, to hand
    it back; None where it is told at a statement that stores, or made by another.
    """
    leaves = {each.leaf for each in carriers}
    made = {each.made[:1] for each in carriers}
    told = statement_at(answer.file or "", answer.line or 0)
    call = isinstance(told, ast.Assign) and isinstance(told.value, ast.Call)
    if not call or is_of_one_statement(answer.suggestion) or len(leaves) != 1 or len(made) != 1:
        return None
    if told is None or _trains_later(answer.file or "", told):
        return None
    (site,) = next(iter(made)) or (None,)
    where = statement_at(site.file, site.line) if site is not None else None
    function = body_around(site.file, site.line) if site is not None else None
    if site is None or not isinstance(where, ast.Assign) or not isinstance(function, Function):
        return None
    if not _is_done(function, where.lineno) or not _is_handed_back(function, where):
        return None
    put = next(puts_in(where, carriers[0].example.label), None)
    if put is None:
        return None
    code = replaced(where, put.value, put.as_leaves if True in leaves else put.without_its_graph)
    return _told(answer, site.file, where, f"Store it without its graph: `{code}`.")


def _is_handed_back(function: Function, statement: ast.Assign) -> bool:
    """Whether it gives one variable a value, which the function returns."""
    returned = (n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value)
    names = {n.id for value in returned for n in ast.walk(value) if isinstance(n, ast.Name)}
    given = [each.id for each in statement.targets if isinstance(each, ast.Name)]
    return len(given) == len(statement.targets) == 1 and given[0] in names


def _wanted(known: Known, statement: ast.stmt) -> list[tuple[str, ...]]:
    """The ways that lead from what is handed back to its graphs."""
    labels = labels_within(known.example, statement)
    last = {labels[-1], *known.beside} if labels and labels[-1] in known.beside else {*labels[-1:]}
    return [(*labels[:-1], each) for each in sorted(last)]


def _put(
    file: str, function: Function, labels: tuple[str, ...], *, done: bool = False
) -> tuple[str, Put] | None:
    """Where the function puts the part that the labels lead to, its training `done`; or another
    one, whose result it hands on.
    """
    put = next(puts_by_name(function, labels), None) if labels else None
    if put is None or not (done or _is_done(function, put.statement.lineno)):
        return None
    if put.key and (filled := _filled(function, put)) is not None:
        return file, filled
    if not put.rest or put.key:
        return file, put
    return _put_by_another(file, function, put, done=done)


def _put_by_another(
    file: str, function: Function, put: Put, *, done: bool
) -> tuple[str, Put] | None:
    """Of `new = applied(state, gradients)` that is handed back by name: where that one puts it; the
    call itself, if that is not to be told.
    """
    given = [n for n in ast.walk(function) if isinstance(n, ast.Assign) and _gives(n, put.value)]
    call = given[0].value if len(given) == 1 else None
    found = callees(call, own_files()) if isinstance(call, ast.Call) else []
    if call is None or not (done or _is_done(function, given[0].lineno)):
        return None
    within = _put(*found[0], put.rest, done=True) if len(found) == 1 else None
    return within or (file, Put(given[0], call, put.rest))


def _gives(node: ast.Assign, name: ast.expr) -> bool:
    return [ast.unparse(each) for each in node.targets] == [ast.unparse(name)]


def _filled(function: Function, put: Put) -> Put | None:
    """The one statement that fills a dict which is handed back by name: `weights[k] = w - step`."""
    found = [
        Put(node, node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
        if ast.unparse(node.targets[0].value) == ast.unparse(put.value)
    ]
    return found[0] if len(found) == 1 else None


def _trains_later(file: str, call: ast.stmt) -> bool:
    """Whether its round goes on to read the state, and to train by it."""
    body, files = body_around(file, call.lineno), own_files()
    around = [body, *loops_at(body, call.lineno)] if body is not None else [call]
    later = [n for n in ast.walk(around[-1]) if getattr(n, "lineno", 0) > (call.end_lineno or 0)]
    names = names_given(call)
    read = any(isinstance(each, ast.Name) and each.id in names for each in later)
    calls = [each for each in later if isinstance(each, ast.Call)]
    within = (function for each in calls for _, function in callees(each, files))
    return read and any(map(calls_backward, [*calls, *within]))


def _is_done(function: Function, line: int) -> bool:
    """Whether the function has trained when it comes to that line, and does not go round again."""
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    lines = [call.lineno for call in calls if _trains(call)]
    rounds = [loops_at(function, each) for each in lines]
    again = any(loop in loops_at(function, line) for loops in rounds for loop in loops)
    return 0 < max(lines, default=0) < line and not again


def _trains(call: ast.Call) -> bool:
    """Whether it asks for gradients, or a function does that it calls."""
    within = (function for _, function in callees(call, own_files()))
    return called(call) in ("backward", "grad") or any(map(calls_backward, within))
