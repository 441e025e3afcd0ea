"""Where a function that trains puts together the state that it hands on to the next call.

Of `state, loss = step(state, batch)` that is within, its backward done: `new = {"carry": carry}`,
ahead of `return new, loss`. Elsewhere a state must not be cut there, for the loss is yet to be made
of it.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence

from gradwatch_agent.advice.gathering import Put, puts_by_name
from gradwatch_agent.advice.rewriting import all_replaced
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
    file, function = found[0]
    wanted = [labels for each in carriers for labels in _wanted(each, statement)]
    put = [_put(function, labels) for labels in wanted]
    places = {each.statement: None for each in put if each is not None}
    if not put or None in put or len(places) != 1:
        return None
    where = next(iter(places))
    cut = [(e.value, e.as_leaves if True in leaves else e.without_its_graph) for e in put if e]
    code = all_replaced(where, cut)
    return dataclasses.replace(
        answer,
        file=file,
        line=where.lineno,
        code=code_of(file, where),
        suggestion=f"Store it without its graph: `{code}`.",
    )


def _wanted(known: Known, statement: ast.stmt) -> list[tuple[str, ...]]:
    """The ways that lead from what is handed back to its graphs."""
    labels = labels_within(known.example, statement)
    last = {labels[-1], *known.beside} if labels and labels[-1] in known.beside else {*labels[-1:]}
    return [(*labels[:-1], each) for each in sorted(last)]


def _put(function: Function, labels: tuple[str, ...]) -> Put | None:
    """Where the function puts the part that the labels lead to, its training done."""
    put = next(puts_by_name(function, labels), None) if labels else None
    if put is None or (put.rest and not put.key):
        return None
    return put if _is_done(function, put.statement.lineno) else None


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
    lines = [call.lineno for call in calls if called(call) in ("backward", "grad")]
    rounds = [loops_at(function, each) for each in lines]
    again = any(loop in loops_at(function, line) for loops in rounds for loop in loops)
    return 0 < max(lines, default=0) < line and not again
