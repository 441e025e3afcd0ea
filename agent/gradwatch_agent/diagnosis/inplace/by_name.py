"""By the statements that may have changed it, where no graph leads to the one that did. One is
named only if no other may have.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Final

import torch

from gradwatch_agent.advice.copying import leave_as_it_is, once_a_step
from gradwatch_agent.advice.later import call_later, step_later
from gradwatch_agent.diagnosis.inplace.meanwhile import (
    call_between,
    first_behind_it,
    first_of_a_row,
    is_in_its_forward,
    ran_between,
)
from gradwatch_agent.diagnosis.inplace.stepped import Changed
from gradwatch_agent.diagnosis.inplace.suspects import (
    call_of_all,
    in_hooks,
    in_its_forward,
    loads,
    named,
    suspects,
)
from gradwatch_agent.diagnosis.inplace.telling import answer_at, word
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.changing import InPlace
from gradwatch_agent.source.gradients.hooks import registration
from gradwatch_agent.source.gradients.leaving import that_may_leave, unrecorded
from gradwatch_agent.source.syntax.statements import function_at
from gradwatch_agent.torch_seam import (
    Node,
    saves_in,
    storage_of,
)
from gradwatch_agent.verdicts.case import Answer

_ONLY: Final = "Of all statements in place it is the only one that may have."
_MOST_TOLD: Final = 5
"""Lines that may have done it; more are no help."""


def by_name(
    node: Node,
    whole: torch.Tensor,
    lines: Lines,
    loss: str | None = None,
    kinds: Collection[str] = (),
    failing: Lines = (),
) -> Changed:
    """By the statements that may have done it, named only if no other may have. `lines` are those
    of the `failing` call, if no other backward came in between; `loss` is the name of what failed,
    where it is a weight that was changed; `kinds`: of nodes, one of which it has left, asked where
    no name leads to what was changed.
    """
    made = made_at(node)
    led_to = suspects(whole, made, weights=loss is not None) or in_its_forward(node)
    found = led_to or (in_hooks() if loss is None else unrecorded(own_files()))
    guessed = not found and bool(kinds)
    if guessed:
        computed = storage_of(whole) in saves_in(node, "result")
        found = that_may_leave(kinds, own_files(), computed=computed)
    found = ran_between(found, made, lines)
    if not found and loss is not None:  # what names led to has run at other times
        found = ran_between(loads(), made, lines)
    by_line = {(change.file, change.line): change for change in found}
    if len(by_line) == 1:
        one = _by_one(node, next(iter(by_line.values())), loss, lines, failing)
        alone = guessed if loss is None else not led_to
        return replace(one, word=f"{one.word} {_ONLY}") if alone else one
    if by_line and len(by_line) <= _MOST_TOLD:
        if loss is not None and (first := first_behind_it(found, made)) is not None:
            return _by_one(node, first, loss, lines, failing)
        told = ", ".join(f"{file.rpartition(os.sep)[2]}:{line}" for file, line in sorted(by_line))
        call = call_of_all(list(by_line), made) if loss is None else None
        if loss is not None and (by := call_between(found, made, lines)) is not None:
            where = f"{word(node)} It is changed in one of these lines: {told}."
            inner = Site(found[0].file, found[0].line, "")
            step = (inner, by)
            advice = step_later(by.file, by.line, loss, step=step, failing=failing, made=made)
            return Changed(at(by, advice, found[0].name), where)
        sure = loss is None and call is None and not guessed
        if sure and (first := first_of_a_row(found, made)) is not None:
            return _by_one(node, first, loss, lines, failing)
        names = {change.name for change in found}
        holder = names.pop() if len(names) == 1 else named(whole)
        answer = Answer(holder=holder)
        if call is not None:
            answer = at(call, call_later(call.file, call.line), holder)
        return Changed(answer, f"{word(node)} One of these lines changed it: {told}.")
    noted = "" if made else ": no lines are noted by now, but `gradwatch check` notes all of them"
    return Changed(Answer(), f"{word(node)} Which statement changed it is not known{noted}.")


def _by_one(node: Node, change: InPlace, loss: str | None, lines: Lines, failing: Lines) -> Changed:
    """By the one statement that may have: of weights, by the one call that came too soon."""
    made = made_at(node)
    if loss is None:
        return Changed(answer_at(Site(change.file, change.line, ""), [change], node), word(node))
    call = call_between([change], made, lines)
    call = call or call_of_all([(change.file, change.line)], made)
    site = call or Site(change.file, change.line, "")
    base = change.file.rpartition(os.sep)[2]
    where = f" It is changed in line {change.line} of {base}." if call is not None else ""
    begins = function_at(change.file, change.line)
    if call is None and registration(change.file, begins, own_files()) is not None:
        return Changed(at(site, once_a_step(change), change.name), word(node))
    if call is None and is_in_its_forward(change, made):
        return Changed(at(site, leave_as_it_is(change), change.name), word(node))
    step = (Site(change.file, change.line, ""), call) if call is not None else ()
    advice = step_later(site.file, site.line, loss, step=step, failing=failing, made=made)
    answer = at(site, advice, change.name)
    return Changed(answer, f"{word(node)}{where}")
