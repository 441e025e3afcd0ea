"""`graph-held`: who keeps the graphs of earlier iterations alive."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import torch

from gradwatch_agent.advice.letting_go import break_the_cycle, clear_gradients, let_go
from gradwatch_agent.capture import made_at
from gradwatch_agent.diagnosis.answering import Known, Seen, answer_for, answer_for_linked, at_line
from gradwatch_agent.diagnosis.stored import Aliases, store_of
from gradwatch_agent.lineage import sentinel_of
from gradwatch_agent.naming import ON_A_TENSOR, Found, Path, own_files, search, search_orphans
from gradwatch_agent.sites import Site
from gradwatch_agent.source.hooks import registration
from gradwatch_agent.source.text import source_line
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of
from gradwatch_agent.verdicts.case import Answer

_MOST_NODES: Final = 50_000
"""Nodes walked to see what the named tensors reach; about 50 ms. Each may remember thousands of
generations, a bit for each."""

_MANY: Final = 3
"""Variables of one name: not they gather what they hold, but what keeps their functions."""

_RECORD: Final = 16
"""Tensors that may be the parts of one record; more are a collection."""

_MOST: Final = 0.8
"""A name inside a holder that keeps this share of what the holder keeps is the better name."""


@dataclass(slots=True)
class _Kept:
    """What one step of a way keeps."""

    path: Path
    example: Path
    scalar: bool
    by_tensor: bool
    made: tuple[Site, ...]
    generations: int = 0
    """As bits."""
    roots: set[Path] = field(default_factory=set)
    """The variables of that name that lead there: each closure has one of its own."""


class Reach(Found):
    """Which generations each name keeps. `generations`: those behind a node met, as bits.

    `objects`: an object keeps what its attributes keep; else only containers and tensors count.
    """

    def __init__(self, generations: Callable[[Node, Path], int], *, objects: bool = True) -> None:
        self._generations = generations
        self._objects = objects
        self._kept: dict[tuple[str, str, int], _Kept] = {}
        self._scalar = False
        self._tensor: Path | None = None
        self._beside: dict[Path, list[Path]] = {}
        """What keeps some, by the step before it."""
        self.aliases: Aliases = {}

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:
        """Comes before its node."""
        self._scalar, self._tensor = not tensor.dim(), path

    def node(self, node: Node, path: Path) -> None:
        """Every step of the way keeps what is behind the node."""
        by_tensor = path is self._tensor
        found = self._generations(node, path)
        if not found:
            return
        if path.parent is not None:
            self._beside.setdefault(path.parent, []).append(path)
        root = path.root
        for step in (*path.back(), *(root.behind.back() if root.behind else ())):
            if step.index or "[...]" in step.label:
                continue
            if not (self._objects or step is path or step.container):
                continue
            name = (step.expression, step.file, step.line)
            kept = self._kept.get(name)
            if kept is None:
                kept = self._kept[name] = _Kept(step, path, self._scalar, by_tensor, made_at(node))
            kept.generations |= found
            kept.roots.add(step.root)

    def most(self) -> int:
        """How many generations the name that keeps most of them keeps."""
        return max((kept.generations.bit_count() for kept in self._kept.values()), default=0)

    def holder(self) -> Known | None:
        """The innermost of the names that keep most; of several, the one that gathers them."""
        most = self.most()
        if most < 2:
            return None
        every = [kept for (name, _, _), kept in self._kept.items() if "[...]" not in name]
        typed = [kept for kept in every if len(kept.roots) < _MANY] or every
        ways = [kept for kept in typed if kept.generations.bit_count() >= _MOST * most]
        outer = {id(step) for kept in ways for step in _above(kept.path)}
        inner = [kept for kept in ways if id(kept.path) not in outer]
        if not ways:
            return None
        best = self._all_of(
            min(inner or ways, key=lambda kept: (-self._gathers(kept), kept.path.steps)), inner
        )
        first = self._first_of_linked(best)
        return Known(
            first.path,
            first.example,
            first.scalar,
            first.by_tensor,
            first.made,
            link=best.path.name if first is not best else "",
            beside=self._all_beside(first.example),
        )

    def _all_beside(self, example: Path) -> tuple[str, ...]:
        """The last steps to all that keeps graphs where one does: the fields of one record."""
        found = self._beside.get(example.parent, []) if example.parent is not None else []
        return tuple(path.code for path in found) if len(found) <= _RECORD else ()

    def _all_of(self, kept: _Kept, others: list[_Kept]) -> _Kept:
        """The container, where several of its elements keep as much."""
        parent = kept.path.parent
        if parent is None or not parent.container:
            return kept
        among = {
            other.path.label
            for other in others
            if other.path.parent and other.path.parent.expression == parent.expression
        }
        whole = self._kept.get((parent.expression, parent.file, parent.line))
        return whole if whole is not None and len(among) > 1 else kept

    def _first_of_linked(self, kept: _Kept) -> _Kept:
        """Where it is one of many objects that keep one another: the name of the first."""
        path = kept.path
        again = (path.expression + path.label, path.file, path.line)
        if not path.attribute or again not in self._kept:
            return kept
        while path.parent is not None and path.label == kept.path.label:
            path = path.parent
        return self._kept.get((path.expression, path.file, path.line), kept)

    def _gathers(self, kept: _Kept) -> int:
        """How surely the name itself gathers what it holds; others may only show its sum, or hold
        what was taken out of it.
        """
        store = store_of(kept.path, self.aliases)
        gathers = store is not None and store.accumulates
        return gathers + bool(kept.path.container)


def _above(path: Path) -> list[Path]:
    return list(path.back())[1:]


class Bits:
    """A bit for each generation met; those of a long run do not begin at 0."""

    def __init__(self) -> None:
        self._places: dict[int, int] = {}

    def of(self, generation: int) -> int:
        """Its bit."""
        return 1 << self._places.setdefault(generation, len(self._places))


class _Below:
    """The earlier generations whose marked nodes lie below a node, as bits; each node once."""

    def __init__(self, current: int) -> None:
        self._current = current
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
        mark = sentinel_of(node)
        if mark is None or mark.generation >= self._current:
            return 0
        return self._bits.of(mark.generation)


def of_held(current: int, left_in_grad: Site | None, seen: Seen) -> Answer:
    """Who keeps the graphs of earlier iterations alive: the name that reaches most of them."""
    reach = Reach(_Below(current))
    reach.aliases = search(reach, sys._getframe())  # noqa: SLF001
    known = reach.holder()
    if known is not None and _is_by_hooks(known):
        return _of_hooks(known)
    if known is not None and known.path.name != "grad":
        answer = answer_for_linked if known.link else answer_for
        return answer(known, let_go, reach.aliases, seen)
    del reach
    orphans = Reach(_Below(current))
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
        suggestion="Remove each hook after its use (handle.remove()), or register it only once.",
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
            return answer_for(known, let_go, aliases, seen) if known is not None else Answer()
        holder = known.path.expression if known is not None else "p.grad"
        code = source_line(left_in_grad.file, left_in_grad.line)
        how = (
            "a cycle: backward(create_graph=True) gave it a graph that leads back to the parameter"
        )
        answer = Answer(holder=holder, suggestion=clear_gradients(code), how=how)
        return at_line(answer, left_in_grad.file, left_in_grad.line, code)
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
