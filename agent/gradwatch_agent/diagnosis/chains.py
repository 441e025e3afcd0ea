"""`graph-chain`: who carries the nodes of earlier iterations into this one."""

from __future__ import annotations

import ast
import dataclasses
import sys
from collections.abc import Callable, Iterable
from typing import Final

import torch

from gradwatch_agent.advice.cutting import cut_all, cut_the_chain
from gradwatch_agent.capture import made_at
from gradwatch_agent.diagnosis.answering import Known, Seen, answer_for, at
from gradwatch_agent.diagnosis.graphs import Above
from gradwatch_agent.diagnosis.halves import half_cut
from gradwatch_agent.diagnosis.stored import Aliases, candidates, is_set_once, place_of
from gradwatch_agent.naming import Found, Path, own_files, search
from gradwatch_agent.reached import Crossing
from gradwatch_agent.source.places import Place, attribute
from gradwatch_agent.source.reading import reads
from gradwatch_agent.source.statements import function_at
from gradwatch_agent.source.stores import known_places, variable
from gradwatch_agent.source.text import statement_at
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts.case import Answer

_NAMES: Final = 6
"""Names remembered for one node."""

_CARRIERS: Final = 4
"""Names told of one chain: an LSTM has two."""


class Names(Found):
    """By which names tensors go, by the serial of their node."""

    def __init__(self, serial: Callable[[Node], int]) -> None:
        self._serial = serial
        self._scalar = self._leaf = False
        self.leaves: set[int] = set()
        """Those whose gradient is kept, as a leaf's."""
        self.paths: dict[int, list[tuple[Path, bool]]] = {}
        self.nodes: dict[int, Node] = {}
        self.aliases: Aliases = {}

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:  # noqa: ARG002
        """Comes before its node."""
        self._scalar, self._leaf = not tensor.dim(), tensor.retains_grad

    def node(self, node: Node, path: Path) -> None:
        """Remembers the name, and whether a single number goes by it."""
        serial = self._serial(node)
        names = self.paths.setdefault(serial, [])
        self.nodes[serial] = node
        if self._leaf:
            self.leaves.add(serial)
        if len(names) < _NAMES:
            names.append((path, self._scalar))


class Carriers:
    """By which names the newest tensors went when the last iteration ended.

    A tensor that is carried on is often replaced before the backward that shows it; its node
    lives on, and the serial number on the node leads back to the name.
    """

    def __init__(self, serial: Callable[[Node], int]) -> None:
        self._serial = serial
        self._paths: dict[int, list[tuple[Path, bool]]] = {}
        self._leaves: set[int] = set()

    def remember(self, *, closely: bool) -> None:
        """The names of now, for what the next iteration will reach."""
        names = self.now(closely=closely)
        self._paths, self._leaves = names.paths, names.leaves

    def now(self, *, closely: bool = True) -> Names:
        """The names that lead to each node, by its serial, the shortest first."""
        names = Names(self._serial)
        names.aliases = search(names, sys._getframe(), closely=closely)  # noqa: SLF001
        return names

    def above(self, crossings: Iterable[Crossing], roots: list[Node]) -> Above:
        """What this iteration has made of the stale nodes it reaches."""
        return Above(crossings, roots, self._serial)

    def of(self, crossing: Crossing, now: Names, above: Above) -> Known | None:
        """The name that carries a stale node over."""
        new, old = now.paths.get(crossing.serial, []), self._paths.get(crossing.serial, [])
        if not new and (later := self._later(crossing, now, above, old)) is not None:
            return later
        if not new and not old:
            return None
        path, scalar = _carrier(new, old, _read_by(crossing))
        path = _lasting(path, now.aliases)
        leaf = crossing.serial in now.leaves | self._leaves
        known = Known(_keeper(path), path, scalar, made=crossing.made, used=crossing.used)
        return dataclasses.replace(known, leaf=leaf)

    def _later(
        self,
        crossing: Crossing,
        now: Names,
        above: Above,
        old: list[tuple[Path, bool]],
    ) -> Known | None:
        """What was made of the stale node after its iteration, and carries it in its place: where
        no name that it had stands for anything above it any more.
        """
        before = {_place(path) for path, _ in old}
        same = [s for s, names in now.paths.items() if any(_place(p) in before for p, _ in names)]
        if above.of(crossing, [now.nodes[serial] for serial in same]):
            return None
        nodes = {node: serial for serial, node in now.nodes.items()}
        node = next((each for each in above.of(crossing) if each in nodes), None)
        if node is None:
            return None
        path, scalar = now.paths[nodes[node]][0]
        stays = path.attribute or path.steps > 0 or _is_read(path, _read_by(crossing))
        if not stays:
            return None  # a variable of this iteration's, as far as is known
        return Known(_keeper(path), path, scalar, made=made_at(node), used=crossing.used)


def _keeper(path: Path) -> Path:
    """What a user would call the carrier: of an attribute that is set when its object is made and
    never again, the container through which such objects pass.
    """
    elements = [step for step in path.back() if step.index and step.label]
    if path.label.startswith("['") and path.parent is not None and _by_any_key(path):
        return path.parent.holder
    if not path.attribute or not elements:
        return path.holder
    is_set = any(store.function != "__init__" for store in candidates(path))
    return path.holder if is_set else elements[-1].holder


def _by_any_key(path: Path) -> bool:
    """Whether the element is stored under a key that the program makes up: one of many."""
    into = [store for store in candidates(path) if "[" in store.target]
    return bool(into) and all(store.key is None for store in into)


def _read_by(crossing: Crossing) -> set[Place]:
    """The places that the statement reads which uses the stale node."""
    read: set[Place] = set()
    for site in crossing.used:
        statement = statement_at(site.file, site.line)
        for name in reads(statement) if statement is not None else ():
            _, dot, last = name.rpartition(".")
            function = function_at(site.file, site.line)
            read.add(attribute(last) if dot else variable(site.file, function, name))
    return read


def _is_read(path: Path, read: set[Place]) -> bool:
    """Whether that is what the name stands for, be it under another name."""
    return not read.isdisjoint(known_places([place_of(path)], [*own_files(), path.file]))


def _carrier(
    new: list[tuple[Path, bool]], old: list[tuple[Path, bool]], read: set[Place]
) -> tuple[Path, bool]:
    """Of a node's names of now and of the iteration before, the likeliest to be the carrier.

    One that had it then and has it still; of several the one that is read where it is used, which
    is the likeliest besides where it has been replaced meanwhile. What is read by its own name
    comes before what is known by another one, which may be that of a container around it.
    """
    stored = [each for each in new if each[0].attribute or each[0].steps]
    if stored:  # else something carries it all the same
        old = [each for each in old if _may_last(each[0])]
        new = [each for each in new if _may_last(each[0])]
    before = {(_place(path), _owner(path)) for path, _ in old}
    places = {place for place, _ in before}
    kept = [each for each in new if (_place(each[0]), _owner(each[0])) in before]
    new = [each for each in new if each in kept or _place(each[0]) not in places]
    for names in (kept, old, stored):
        named = [each for each in names if place_of(each[0]) in read]
        if named:
            return named[0]
    for names in (kept, old):
        named = [each for each in names if _is_read(each[0], read)]
        if named:
            return named[0]
    named = [each for each in new if _is_read(each[0], read)]
    return (kept or named or new or old)[0]


def _may_last(path: Path) -> bool:
    """Whether the name may stand from one iteration to the next: not a variable of a function that
    is called anew for each, which gives it a value once.
    """
    if path.attribute or path.steps or not path.line:
        return True
    found = candidates(path)
    return not found or any(s.in_loop or s.function != path.named.function for s in found)


def _lasting(path: Path, aliases: Aliases) -> Path:
    """By the attribute, where it begins with a variable that is only ever another name of one:
    `mark = self.bookmark`.
    """
    root = path.root
    found = candidates(root) if root.line and root is not path else []
    read = [getattr(store.node, "value", None) for store in found if store.how == "assign"]
    if not found or len(read) < len(found) or not all(isinstance(r, ast.Attribute) for r in read):
        return path
    others = (each for each in aliases.get(root.expression, []) if each.attribute)
    other = next(others, None)
    return path.begun_by(other) if other is not None else path


def _place(path: Path) -> tuple[str, ...]:
    """What a name stands for, the same from another function: an attribute of a class, ..."""
    return (path.name, *path.owners) if path.attribute else (path.expression,)


def _owner(path: Path) -> int:
    """The identity of the object whose attribute the carrier is: another one that goes by the same
    name has been given the thing, and did not carry it.
    """
    step = _keeper(path).parent
    while step is not None and not step.label:
        step = step.parent
    return step.identity if step is not None else 0


def _together(known: Iterable[Known]) -> list[Known]:
    """Several elements of one container are that container; several attributes that only a
    constructor sets are the object, which is given anew as a whole.
    """
    groups: dict[str, list[tuple[Known, Path]]] = {}
    for each in known:
        parent = each.path.parent
        inside = parent is not None and parent.container and each.path.label.startswith("[")
        inside = inside or is_set_once(each.path)
        way = parent if inside and parent is not None else each.path
        groups.setdefault(way.expression, []).append((each, way))
    return [_one_of(group) for group in groups.values()]


def _one_of(group: list[tuple[Known, Path]]) -> Known:
    """What several parts of one thing are together."""
    first, way = group[0]
    if len(group) == 1:
        return first
    attributes = {each.path.label: None for each, _ in group if each.path.attribute}
    return dataclasses.replace(first, path=way, parts=tuple(attributes))


def of_chain(
    crossings: Iterable[Crossing], carriers: Carriers, roots: list[Node], seen: Seen
) -> Answer:
    """Who carries stale nodes into this iteration."""
    crossings, now = list(crossings), carriers.now()
    above = carriers.above(crossings, roots)
    known: dict[str, Known] = {}
    unnamed: Answer | None = None
    for crossing in crossings:
        carrier = carriers.of(crossing, now, above)
        if carrier is not None:
            known.setdefault(carrier.path.expression, carrier)
        elif unnamed is None and crossing.used:
            unnamed = at(crossing.used[0])
    if not known:
        return unnamed or Answer()
    several = _together(known.values())[:_CARRIERS]
    answers = [_answer_for(each, seen) for each in several]
    first = answers[0]
    if len(answers) == 1:
        return first
    others = [answer.holder for answer in answers[1:] if answer.holder]
    return dataclasses.replace(
        first, suggestion=cut_all([a.suggestion or "" for a in answers]), others=tuple(others)
    )


def _answer_for(known: Known, seen: Seen) -> Answer:
    """At the statement that means to cut it and misses, if there is one; else at the store."""
    half = half_cut(known.example)
    if half.line is not None:
        return dataclasses.replace(half, holder=known.path.expression, how=known.path.via)
    return answer_for(known, cut_the_chain, seen=seen)
