"""Which of several names that lead to graphs is their holder: the one that keeps most of them.

Owns what each name keeps, and the choice. Must not know how generations are told.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

import torch

from gradwatch_agent.diagnosis.lasting.variables import may_last
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.stored import Aliases, spoken, store_of
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Found, Path
from gradwatch_agent.naming.lookups import are_tensors
from gradwatch_agent.torch_seam import Node

_MANY: Final = 3
"""Variables of one name: not they gather what they hold, but what keeps their functions."""

_RECORD: Final = 16
"""Tensors that may be the parts of one record; more are a collection."""

_OTHERS: Final = 2
"""Told of those that keep as much as the holder, by other ways."""

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
    """Which generations each name keeps. `generations`: those behind a node met, as bits."""

    def __init__(self, generations: Callable[[Node, Path], int]) -> None:
        self._generations = generations
        self._kept: dict[tuple[str, str, int], _Kept] = {}
        self._scalar = False
        self._tensor: Path | None = None
        self._within: dict[Path, _Kept] = {}
        """What lies within one element of a container."""
        self._again: list[tuple[Path, Path]] = []
        """Elements by which another container keeps as much."""
        self._beside: dict[Path, list[Path]] = {}
        """What keeps some, by the step before it."""
        self.aliases: Aliases = {}
        self.others: tuple[Known, ...] = ()
        """What gathers most of them, too, apart from the holder; once that was asked."""

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
        kept = _Kept(path, path, self._scalar, by_tensor, made_at(node), found)
        self._credit(path, kept)
        for step in path.back():
            if step.parent is not None and step.parent.container:
                self._within.setdefault(step, replace(kept)).generations |= found

    def again(self, first: Path, path: Path) -> None:
        """Of what is found by the first way alone, the other container keeps as much."""
        self._again.append((first, path))

    def _share(self) -> None:
        """What was met again is told of the other containers, too."""
        shared, self._again = self._again, []
        for first, path in shared:
            if (kept := self._within.get(first)) is not None:
                example = kept.example.by_way_of(first, path)
                self._credit(example, replace(kept, path=example, example=example))

    def _credit(self, path: Path, found: _Kept) -> None:
        """To every step of the way."""
        root = path.root
        for step in (*path.back(), *(root.behind.back() if root.behind else ())):
            if step.index or "[...]" in step.label:
                continue
            name = (step.expression, step.file, step.line)
            kept = self._kept.get(name)
            if kept is None:
                kept = self._kept[name] = replace(found, path=step, roots=set())
            kept.generations |= found.generations
            kept.roots.add(step.root)

    def most(self) -> int:
        """How many generations the name that keeps most of them keeps."""
        self._share()
        return max((kept.generations.bit_count() for kept in self._kept.values()), default=0)

    def holder(self) -> Known | None:
        """The innermost of the names that keep most; of several, the one that gathers them."""
        most = self.most()
        if most < 2:
            return None
        every = [kept for kept in self._kept.values() if "[...]" not in spoken(kept.path)]
        typed = [kept for kept in every if len(kept.roots) < _MANY] or every
        ways = [kept for kept in typed if kept.generations.bit_count() >= _MOST * most]
        outer = {id(step) for kept in ways for step in _above(kept)}
        inner = [kept for kept in ways if id(kept.path) not in outer]
        if not ways:
            return None
        best = self._all_of(min(inner or ways, key=self._rank), inner)
        best = min(_gradients(best, ways), key=self._rank, default=best)
        first = self._first_of_linked(best)
        self.others = tuple(map(self._known, self._apart_from(best, inner)))
        known = self._known(first)
        if first is not best:
            known = replace(self._by_what_lasts(known), link=best.path.name)
        return replace(known, keys=self._keys(first.path, inner))

    def _by_what_lasts(self, known: Known) -> Known:
        """By another name, where that is a variable which each call gives a value anew."""
        others = [each for each in self.aliases.get(known.path.expression, []) if may_last(each)]
        if may_last(known.path) or not others:
            return known
        example = known.example.begun_by(others[0])
        return replace(known, path=others[0], example=example)

    def _known(self, kept: _Kept) -> Known:
        beside, within = self._all_beside(kept.example), self._within_beside(kept.example)
        known = Known(kept.path, kept.example, kept.scalar, kept.by_tensor, kept.made)
        return replace(known, beside=beside, within_beside=within)

    def _rank(self, kept: _Kept) -> tuple[bool, int, int]:
        """What lasts comes first: a variable that each call gives a value anew shows what others
        keep.
        """
        lasts = kept.path.root.behind is not None or may_last(kept.path)
        return not lasts, -self._gathers(kept), kept.path.steps

    def _all_beside(self, example: Path) -> tuple[str, ...]:
        """The last steps to all that keeps graphs where one does: the fields of one record, and
        those of others in its container, if they are tensors in all of them.
        """
        one = example.parent
        if one is None:
            return ()
        own = {path.code: path for path in self._beside.get(one, [])}
        around = one.parent if one.index else None
        if around is not None:
            others = (r for r in self._beside if r.parent is around)
            more = {path.code: path for record in others for path in self._beside[record]}
            own |= {
                code: path
                for code, path in more.items()
                if code not in own and are_tensors(around, path.label)
            }
        codes = tuple(own)
        return codes if len(codes) <= _RECORD else ()

    def _within_beside(self, example: Path) -> tuple[tuple[str, str], ...]:
        """The attributes of the same thing that are dicts or lists with tensors that keep graphs,
        each with its kind.
        """
        own = (each for each in self._beside if each.parent is example.parent)
        plain = ("dict", "list", "tuple")
        return tuple((e.code, e.kind) for e in own if e.attribute and e.kind in plain)

    def _all_of(self, kept: _Kept, others: list[_Kept]) -> _Kept:
        """The container, where several of its elements keep as much, by themselves or by what lies
        in them.
        """
        around = itertools.takewhile(lambda step: step.container, list(kept.path.back())[1:])
        for container in around:
            whole = self._kept.get((container.expression, container.file, container.line))
            if whole is not None and len(self._keys(container, others)) > 1:
                kept = whole
        return kept

    def _keys(self, container: Path, among: list[_Kept]) -> tuple[str, ...]:
        """The elements of the container that are among these, or that those lie in."""
        steps = ((step.label, step.parent) for kept in among for step in kept.path.back())
        own = (label for label, of in steps if of and of.expression == container.expression)
        return tuple(dict.fromkeys(own))

    def _first_of_linked(self, kept: _Kept) -> _Kept:
        """Where it is one of many objects that keep one another: the name of the first."""
        path = kept.path
        again = (path.expression + path.label, path.file, path.line)
        if not path.attribute or again not in self._kept:
            return kept
        while path.parent is not None and path.label == kept.path.label:
            path = path.parent
        return self._kept.get((path.expression, path.file, path.line), kept)

    def _apart_from(self, holder: _Kept, inner: list[_Kept]) -> list[_Kept]:
        """Who lets go of the holder alone has gained nothing while these hold on."""
        own = holder.path.expression
        apart = {
            spoken(kept.path): kept
            for kept in sorted(inner, key=lambda kept: -kept.path.steps)
            if may_last(kept.path) and all(s.expression != own for s in kept.path.back())
            if (kept.example is not kept.path if kept.path.container else self._gathers(kept))
        }
        # Of many of a kind one statement stores all: what goes by another name needs a change too.
        one_each = {each.path.name: each for each in apart.values()}
        one_each.pop(holder.path.name, None)
        every = [*one_each.values(), *reversed(apart.values())]
        return list({id(kept): kept for kept in every}.values())[:_OTHERS]

    def _gathers(self, kept: _Kept) -> int:
        """How surely the name itself gathers what it holds; others may only show its sum, or hold
        what was taken out of it.
        """
        store = store_of(kept.path, self.aliases)
        gathers = store is not None and store.accumulates
        return gathers + bool(kept.path.container)


def _gradients(kept: _Kept, ways: list[_Kept]) -> list[_Kept]:
    """Where a tensor's gradient is what keeps, the names of such: whoever has the tensor, an
    optimizer's state among them, only shows it.
    """
    if kept.example.name != "grad" or kept.path.name == "grad":
        return []
    return [way for way in ways if way.path.name == "grad"]


def _above(kept: _Kept) -> list[Path]:
    """The steps before it; of a variable that one function alone has, those to the function."""
    behind = kept.path.root.behind if len(kept.roots) == 1 else None
    return [*list(kept.path.back())[1:], *(behind.back() if behind is not None else ())]


class Bits:
    """A bit for each generation met; those of a long run do not begin at 0."""

    def __init__(self) -> None:
        self._places: dict[int, int] = {}

    def of(self, generation: int) -> int:
        """Its bit."""
        return 1 << self._places.setdefault(generation, len(self._places))
