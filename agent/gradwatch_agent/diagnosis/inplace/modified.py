"""`inplace-modified`: which statement changed what backward still needed.

The graph leads there: from the node whose saved tensor is out of date to the node that the
change itself left. A change that left none (an optimizer's step, no_grad) is sought by the
names that lead to the same memory, and in the source.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import torch

from gradwatch_agent.advice.copying import change_a_copy, leave_as_it_is, once_a_step
from gradwatch_agent.advice.later import SOME_LOSS, call_later, step_later
from gradwatch_agent.diagnosis.inplace.beside import with_others
from gradwatch_agent.diagnosis.inplace.meanwhile import (
    call_between,
    first_behind_it,
    first_of_a_row,
    is_in_its_forward,
    ran_between,
)
from gradwatch_agent.diagnosis.inplace.renormed import of_its_forward
from gradwatch_agent.diagnosis.inplace.stepped import Changed, of_step
from gradwatch_agent.diagnosis.inplace.suspects import (
    call_of_all,
    in_hooks,
    in_its_forward,
    named,
    suspects,
)
from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.graph.passes import Passes
from gradwatch_agent.graph.walking import walk
from gradwatch_agent.lines.capture import made_at, made_in_place
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.changing import InPlace, changes_at
from gradwatch_agent.source.gradients.hooks import registration
from gradwatch_agent.source.gradients.leaving import that_may_leave, unrecorded
from gradwatch_agent.source.syntax.statements import function_at
from gradwatch_agent.torch_seam import (
    LEAF,
    Node,
    edges,
    outdated,
    saves_in,
    sequence_of,
    storage_of,
)
from gradwatch_agent.verdicts.case import Answer

_ONLY: Final = "Of all statements in place it is the only one that may have."
_MOST_BESIDE: Final = 3
"""Other tensors, changed besides, of which it is found out."""
_MOST_TOLD: Final = 5
"""Lines that may have done it; more are no help."""


@dataclass(frozen=True, slots=True)
class _Failed:
    """The backward that failed."""

    roots: list[Node]
    nodes: list[Node]
    """All that it would have walked."""
    now: Site | None
    passes: Passes
    lines: Lines
    """Of its call."""


def of_inplace(roots: list[Node], now: Site | None, passes: Passes, lines: Lines) -> Changed:
    """Which statement changed what backward needed; `lines` are those of the failing call."""
    nodes = [node for node in walk(roots) if sequence_of(node) < LEAF]
    late = [(node, saved) for node in nodes for saved in outdated(node)]
    if not late:
        return Changed(Answer(), "Which statement changed it is not known.")
    late.sort(key=lambda pair: -sequence_of(pair[0]))
    failed = _Failed(roots, nodes, now, passes, lines)
    changed = (_of_one(node, saved, failed) for node, saved in _apart(late))
    return with_others(next(changed), changed)


def _apart(late: list[tuple[Node, torch.Tensor]]) -> list[tuple[Node, torch.Tensor]]:
    """Of each memory that was changed the newest node that saved it; of weights only the first, for
    a step changes them all.
    """
    by_memory: dict[int, tuple[Node, torch.Tensor]] = {}
    for node, saved in late:
        by_memory.setdefault(storage_of(saved), (node, saved))
    first, *rest = by_memory.values()
    others = [(node, saved) for node, saved in rest if not (saved.requires_grad and saved.is_leaf)]
    return [first, *others[:_MOST_BESIDE]]


def _of_one(node: Node, saved: torch.Tensor, failed: _Failed) -> Changed:
    """Which statement changed the one tensor that the node has saved."""
    nodes, now = failed.nodes, failed.now
    straight = failed.lines if sequence_of(node) >= failed.passes.walked_at else ()
    whole = saved._base if saved._is_view() else saved  # noqa: SLF001
    if whole is None:
        whole = saved
    if whole.requires_grad and whole.is_leaf:
        by_a_step = of_step(failed.roots, node, whole, now, failed.passes, failed.lines)
        by_a_step = by_a_step or of_its_forward(node, whole)
        return by_a_step or _by_name(
            node, whole, straight, loss_of(now) or SOME_LOSS, failing=failed.lines
        )
    changer = _changer(node, whole, nodes)
    if changer is not None and (sites := made_at(changer)):
        return _at(sites[0], node)
    known = _by_name(node, whole, straight, kinds=_kinds(node, whole, nodes))
    if known.answer.line is None and isinstance(whole, torch.nn.Parameter):
        # A teacher's, that no gradient is asked of: what goes over all parameters changes it.
        known = _by_name(node, whole, straight, loss_of(now) or SOME_LOSS, failing=failed.lines)
        return replace(known, answer=replace(known.answer, holder=named(whole)))
    return known


def _changer(node: Node, whole: torch.Tensor, nodes: list[Node]) -> Node | None:
    """The node of the first change after the one that saved; None if the change left none."""
    saved_at = sequence_of(node)
    latest = whole.grad_fn
    if latest is not None and saved_at < sequence_of(latest) < LEAF:
        return _first_change(latest, saved_at)
    users = [other for other in nodes if sequence_of(other) > saved_at and node in edges(other)]
    storage = storage_of(whole)
    sure = [
        user
        for user in users
        if made_in_place(user) or storage in saves_in(user, "result") or _looks_so(user)
    ]
    lines = {made_at(user)[:1] for user in sure}
    return sure[0] if len(lines) == 1 else None


def _first_change(latest: Node, saved_at: int) -> Node:
    """A change in place has what was there before as its first input."""
    while True:
        before = next(iter(edges(latest)), None)
        if before is None or not saved_at < sequence_of(before) < LEAF:
            return latest
        if not _looks_so(before):
            return latest
        latest = before


def _kinds(node: Node, whole: torch.Tensor, nodes: list[Node]) -> set[str]:
    """Of the nodes that changes since may have left: those above what was saved."""
    saved_at, latest = sequence_of(node), whole.grad_fn
    if latest is None:  # a node's own result, which it saves without its graph
        return {type(each).__name__ for each in nodes if node in edges(each)}
    kinds = set()
    while latest is not None and saved_at < sequence_of(latest) < LEAF:
        kinds.add(type(latest).__name__)
        latest = next(iter(edges(latest)), None)
    return kinds


def _looks_so(node: Node) -> bool:
    """Whether the statement that made the node changes something in place."""
    sites = made_at(node)
    return bool(sites) and bool(changes_at(sites[0].file, sites[0].line))


def _at(site: Site, node: Node) -> Changed:
    """The statement is known by the line that was noted."""
    found = changes_at(site.file, site.line)
    return Changed(_answer(site, found), _word(node))


def _answer(site: Site, found: list[InPlace]) -> Answer:
    if not found:
        return at(site, "Make the module without inplace=True, so that it leaves its input alone.")
    first = found[0]
    return at(
        Site(site.file, first.line, site.function), change_a_copy(first, own_files()), first.name
    )


def _word(node: Node) -> str:
    made = made_at(node)
    saved = f" in line {made[0].line}" if made else ""
    return f"{type(node).__name__.removesuffix('0').removesuffix('Backward')} saved it{saved}."


def _by_one(node: Node, change: InPlace, loss: str | None, lines: Lines, failing: Lines) -> Changed:
    """By the one statement that may have: of weights, by the one call that came too soon."""
    made = made_at(node)
    if loss is None:
        return Changed(_answer(Site(change.file, change.line, ""), [change]), _word(node))
    call = call_between([change], made, lines)
    call = call or call_of_all([(change.file, change.line)], made)
    site = call or Site(change.file, change.line, "")
    base = change.file.rpartition(os.sep)[2]
    where = f" It is changed in line {change.line} of {base}." if call is not None else ""
    begins = function_at(change.file, change.line)
    if call is None and registration(change.file, begins, own_files()) is not None:
        return Changed(at(site, once_a_step(change), change.name), _word(node))
    if call is None and is_in_its_forward(change, made):
        return Changed(at(site, leave_as_it_is(change), change.name), _word(node))
    advice = step_later(site.file, site.line, loss, failing=failing, made=made)
    answer = at(site, advice, change.name)
    return Changed(answer, f"{_word(node)}{where}")


def _by_name(
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
            where = f"{_word(node)} It is changed in one of these lines: {told}."
            advice = step_later(by.file, by.line, loss, failing=failing, made=made)
            return Changed(at(by, advice, found[0].name), where)
        sure = loss is None and call is None and not guessed
        if sure and (first := first_of_a_row(found, made)) is not None:
            return _by_one(node, first, loss, lines, failing)
        names = {change.name for change in found}
        holder = names.pop() if len(names) == 1 else named(whole)
        answer = Answer(holder=holder)
        if call is not None:
            answer = at(call, call_later(call.file, call.line), holder)
        return Changed(answer, f"{_word(node)} One of these lines changed it: {told}.")
    noted = "" if made else ": no lines are noted by now, but `gradwatch check` notes all of them"
    return Changed(Answer(), f"{_word(node)} Which statement changed it is not known{noted}.")
