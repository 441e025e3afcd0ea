"""`graph-held`: who keeps the graphs of earlier iterations alive."""

from __future__ import annotations

import sys
from typing import Final

from gradwatch_agent.advice.bounding import remove_hooks
from gradwatch_agent.advice.letting_go import break_the_cycle, let_go
from gradwatch_agent.advice.timing import is_of_one_statement
from gradwatch_agent.diagnosis.chain.handed_on import where_handed_on
from gradwatch_agent.diagnosis.held.gathering import of_gathering
from gradwatch_agent.diagnosis.held.in_grad import of_left_in_grad
from gradwatch_agent.diagnosis.held.linked import answer_for_linked
from gradwatch_agent.diagnosis.held.others import with_others
from gradwatch_agent.diagnosis.held.reach import Bits, Reach
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.seen import Seen
from gradwatch_agent.diagnosis.place.stored import Aliases
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import ON_A_TENSOR, Path, own_files, search, search_orphans
from gradwatch_agent.source.gradients.hooks import registration
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of
from gradwatch_agent.verdicts.case import Answer

_MOST_NODES: Final = 50_000
"""Nodes walked to see what the named tensors reach; about 50 ms. Each may remember thousands of
generations, a bit for each."""


class _Below:
    """The earlier generations whose marked nodes lie below a node, as bits; each node once."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._bits = Bits()
        self._known: dict[Node, int] = {}

    def __call__(self, root: Node, path: Path) -> int:  # noqa: ARG002
        known = self._known
        waiting = [root]
        while waiting:
            node = waiting[-1]
            children = [child for child in edges(node) if sequence_of(child) < LEAF]
            unknown = [child for child in children if child not in known]
            if node in known or (unknown and len(known) > _MOST_NODES):
                waiting.pop()
            elif unknown:
                waiting.extend(unknown)
            else:
                waiting.pop()
                known[node] = self._own(node)
                for child in children:
                    known[node] |= known[child]
        return known.get(root, 0)

    def _own(self, node: Node) -> int:
        mark = self._lineage.own(node)
        if mark is None or mark.generation >= self._lineage.current:
            return 0
        return self._bits.of(mark.generation)


def of_held(lineage: Lineage, left_in_grad: Site | None, seen: Seen) -> Answer:
    """Who keeps the graphs of earlier iterations alive: the name that reaches most of them."""
    reach = Reach(_Below(lineage))
    reach.aliases = search(reach, sys._getframe(), closely=True)  # noqa: SLF001
    known = reach.holder()
    if known is not None and _is_by_hooks(known):
        return _of_hooks(known)
    if known is not None and known.path.name != "grad":
        answer = answer_for_linked if known.link else answer_for
        told = answer(known, let_go, reach.aliases, seen)
        within = None if is_of_one_statement(told.suggestion) else where_handed_on(told, [known])
        return with_others(within or told, reach, seen)
    del reach
    orphans = Reach(_Below(lineage))
    orphans.aliases = search_orphans(orphans)
    lost = orphans.holder()
    if known is None or (lost is not None and lost.path.name != "grad"):
        known = lost
    return _of_orphan(known, left_in_grad, orphans.aliases, seen)


def _is_by_hooks(known: Known) -> bool:
    """Whether it is a module's hooks that keep it, or a tensor's own."""
    function = known.example.root.behind
    hook = function.holder if function is not None and function.via == ON_A_TENSOR else None
    return known.path.name.endswith("_hooks") or (hook is not None and hook is known.path)


def _of_hooks(known: Known) -> Answer:
    """Hooks that nobody removes, each with what its function was made with."""
    answer = Answer(
        holder=known.path.expression,
        how="the functions that are registered there and never removed",
        suggestion=remove_hooks(),
    )
    root = known.example.root
    found = registration(root.file, root.line, own_files())
    return at_line(answer, found.file, found.line, found.code) if found is not None else answer


def _of_orphan(
    known: Known | None, left_in_grad: Site | None, aliases: Aliases, seen: Seen
) -> Answer:
    """What keeps itself alive, through C++ where no collector sees it, or with gc switched off."""
    if known is None or known.path.name == "grad":
        if left_in_grad is None:
            return answer_for(known, let_go, aliases, seen) if known is not None else of_gathering()
        named = known.path.expression if known is not None and known.path.file else None
        return of_left_in_grad(left_in_grad, named)
    if not known.path.attribute:
        found = registration(known.path.file, known.path.line, own_files())
        if found is not None:
            answer = Answer(
                holder=known.path.expression,
                how="the hook that is registered there: a cycle that no collector sees",
                suggestion=break_the_cycle(known.path.name),
            )
            return at_line(answer, found.file, found.line, found.code)
    return answer_for(known, let_go, aliases, seen)
