"""`inplace-modified`: which statement changed what backward still needed.

The graph leads there: from the node whose saved tensor is out of date to the node that the
change itself left. A change that left none (an optimizer's step, no_grad) is sought by the
names that lead to the same memory, and in the source.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import torch

from gradwatch_agent.advice.later import SOME_LOSS
from gradwatch_agent.advice.viewed import copy_the_whole, given, is_of_a_part
from gradwatch_agent.diagnosis.inplace.beside import with_others
from gradwatch_agent.diagnosis.inplace.by_name import by_name
from gradwatch_agent.diagnosis.inplace.renormed import of_its_forward
from gradwatch_agent.diagnosis.inplace.staying import cut_if_it_stays
from gradwatch_agent.diagnosis.inplace.stepped import Changed, of_step
from gradwatch_agent.diagnosis.inplace.suspects import (
    named,
)
from gradwatch_agent.diagnosis.inplace.telling import answer_at, word
from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.graph.passes import Passes
from gradwatch_agent.graph.walking import walk
from gradwatch_agent.lines.capture import made_at, made_in_place
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.source.gradients.changing import changes_at
from gradwatch_agent.source.syntax.text import statement_at
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

_MOST_BESIDE: Final = 3
"""Other tensors, changed besides, of which it is found out."""


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
    apart = _apart(late)
    changed = (_of_one(node, saved, failed) for node, saved in apart)
    return cut_if_it_stays(with_others(next(changed), changed), _whole(apart[0][1]))


def _whole(saved: torch.Tensor) -> torch.Tensor:
    """What it is a view of, if it is one."""
    base = saved._base if saved._is_view() else None  # noqa: SLF001
    return saved if base is None else base


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
    straight = failed.passes.went_straight(sequence_of(node), failed.lines)
    lines = failed.lines if straight else ()
    whole = _whole(saved)
    if whole.requires_grad and whole.is_leaf:
        by_a_step = of_step(failed.roots, node, whole, now, failed.passes, failed.lines)
        by_a_step = by_a_step or of_its_forward(node, whole)
        if by_a_step is not None:
            return by_a_step
        told = by_name(node, whole, lines, loss_of(now) or SOME_LOSS, failing=failed.lines)
        round_ago = failed.passes.came_round(sequence_of(node), failed.lines)
        return replace(told, carried=round_ago)  # what is wrong may be how old the graph is
    changer = _changer(node, whole, nodes)
    if changer is not None and (sites := made_at(changer)):
        return _of_a_part(sites[0], node, changer) or _at(sites[0], node)
    known = by_name(node, whole, lines, kinds=_kinds(node, whole, nodes))
    if known.answer.line is None and isinstance(whole, torch.nn.Parameter):
        # A teacher's, that no gradient is asked of: what goes over all parameters changes it.
        known = by_name(node, whole, lines, loss_of(now) or SOME_LOSS, failing=failed.lines)
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


def _of_a_part(site: Site, node: Node, changer: Node) -> Changed | None:
    """Where what was changed is a view, reached by an element or a call: changed by itself, what it
    shows a part of would stay as it is. That one is to be copied, where it was made.
    """
    found = changes_at(site.file, site.line)
    if type(changer).__name__ != "CopySlices" or not found or not is_of_a_part(found[0]):
        return None
    made = made_at(node)[0] if made_at(node) and saves_in(node, "result") else None
    where = Site(site.file, found[0].line, site.function)
    statement = statement_at(made.file, made.line) if made is not None else None
    return Changed(at(where, copy_the_whole(found[0], statement), given(statement)), word(node))


def _at(site: Site, node: Node) -> Changed:
    """The statement is known by the line that was noted."""
    found = changes_at(site.file, site.line)
    return Changed(answer_at(site, found, node), word(node))
