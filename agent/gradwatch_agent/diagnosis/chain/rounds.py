"""What was carried over within one counted iteration: optimizers that step in turns, each in a
round of the loop, make one of several rounds; so do several backwards ahead of one step.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final

from gradwatch_agent.advice.cutting import cut_the_chain
from gradwatch_agent.advice.timing import GO_ON, START
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.graph.reached import Crossing, serial_of
from gradwatch_agent.graph.walking import inner
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.torch_seam import Node, edges, sequence_of
from gradwatch_agent.verdicts.case import Answer

_MOST: Final = 20_000
"""Nodes that are looked at."""


def carried_since(roots: list[Node], sequence: int) -> tuple[Crossing, ...]:
    """The edges from what was built since the numbering stood there to what was built before; none
    unless a round has come again meanwhile, so far as lines are noted: what is carried over was
    made by the same lines as its successor.
    """
    new, before = _parted(roots, sequence)
    if not _have_come_again(before, {made_at(node) for node in new}):
        return ()
    users: dict[Node, Node] = {}
    for node in new:
        for child in edges(node):
            if sequence_of(child) < sequence:
                users.setdefault(child, node)
    return tuple(
        Crossing(serial_of(stale), sequence_of(stale), 0, made_at(stale), made_at(user))
        for stale, user in users.items()
    )


def successor(roots: list[Node], sequence: int) -> Answer:
    """The same told by the name that the successor has now, where no name that lasts carries it:
    of an object, say, that is made for this iteration and goes from one of its rounds to the next.
    """
    new, before = _parted(roots, sequence)
    again = [node for node in new if made_at(node) in before]
    named = names_of(again).items()
    paths = ((path, node) for node, found in named for path in found if path.attribute)
    path, node = min(paths, key=lambda pair: pair[0].steps, default=(None, None))
    if path is None or node is None:
        return Answer()
    return answer_for(Known(path.holder, path, made=made_at(node), freed=True), cut_the_chain)


def within_the_iteration(answer: Answer) -> Answer:
    """The same, where what is to be cut is cut in each round."""
    told = answer.suggestion or ""
    return replace(answer, suggestion=told.replace(START, GO_ON))


def _parted(roots: list[Node], sequence: int) -> tuple[list[Node], set[Lines]]:
    """What was built since, and the lines that had made the rest."""
    every = list(inner(roots, _MOST))
    new = [node for node in every if sequence_of(node) >= sequence]
    return new, {made_at(node) for node in every if sequence_of(node) < sequence} - {()}


def _have_come_again(before: set[Lines], since: set[Lines]) -> bool:
    """Whether the very same way through the program has been gone twice, or ways that have in
    common where a state is put.
    """
    if not before.isdisjoint(since):
        return True
    common = {site for lines in before for site in lines} & {s for lines in since for s in lines}
    return any(map(_puts, common))


def _puts(site: Site) -> bool:
    """Whether the statement there gives something that outlasts its function what it makes."""
    statement = statement_at(site.file, site.line)
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(
        isinstance(each, ast.Attribute | ast.Subscript)
        for target in targets
        for each in (target.elts if isinstance(target, ast.Tuple) else [target])
    )
