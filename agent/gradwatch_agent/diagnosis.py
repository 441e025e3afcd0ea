"""From a node that should be dead to the statement to change: who holds it, where, what to write.

Owns the choice among the names that lead to a graph and the statements that store into them.
Runs only on suspicion; keeps nothing alive when it returns. A wrong line is worse than none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Final

import torch

from gradwatch_agent import advice, statements
from gradwatch_agent.advice import Holder
from gradwatch_agent.capture import made_at
from gradwatch_agent.census import Crossing
from gradwatch_agent.lineage import sentinel_of
from gradwatch_agent.names import Path, file_of_module, visit
from gradwatch_agent.sites import Site, is_own
from gradwatch_agent.statements import Store
from gradwatch_agent.torch_seam import LEAF, Node, edges, graph_of, sequence_of
from gradwatch_agent.verdicts.case import Answer

_MOST_NODES: Final = 200_000
"""Nodes walked to see what the named tensors reach; about 0.1 s."""

_NAMES: Final = 6
"""Names remembered for one node."""


class Carriers:
    """By which names the newest tensors went when the last iteration ended.

    A tensor that is carried on is often replaced before the backward that shows it; its node
    lives on, and the serial number on the node leads back to the name.
    """

    def __init__(self, serial: Callable[[Node], int]) -> None:
        self._serial = serial
        self._paths: dict[int, list[Path]] = {}

    def remember(self) -> None:
        """The names of now, for what the next iteration will reach."""
        self._paths = self.now()

    def now(self) -> dict[int, list[Path]]:
        """The names that lead to each node, by its serial, the shortest first."""
        paths: dict[int, list[Path]] = {}

        def found(tensor: torch.Tensor, path: Path) -> None:
            node = graph_of(tensor)
            if node is not None:
                names = paths.setdefault(self._serial(node), [])
                if len(names) < _NAMES:
                    names.append(path)

        visit(found, None, sys._getframe())  # noqa: SLF001
        return paths

    def of(self, crossing: Crossing) -> tuple[list[Path], list[Path]]:
        """The names a stale node goes by now, and those it went by before."""
        return self.now().get(crossing.serial, []), self._paths.get(crossing.serial, [])


def of_chain(crossings: Iterable[Crossing], carriers: Carriers) -> Answer:
    """Who carries stale nodes into this iteration."""
    best: Answer | None = None
    for crossing in crossings:
        now, before = carriers.of(crossing)
        path = _carrier(crossing, now, before)
        if path is not None:
            return answer_for(path, advice.cut_the_chain, crossing)
        best = best or _by_line(crossing)
    return best or Answer()


def _carrier(crossing: Crossing, now: list[Path], before: list[Path]) -> Path | None:
    """The name that the consuming statement reads, else one that still holds the node."""
    read: list[str] = []
    for site in crossing.used:
        statement = statements.statement_at(site.file, site.line)
        if statement is not None:
            read += statements.reads(statement)
    last = {dotted.rpartition(".")[2] for dotted in read}
    for path in (*now, *before):
        if path.name in last:
            return path
    return next(iter(now), next(iter(before), None))


def _by_line(crossing: Crossing) -> Answer:
    """Where no name is known: the line that used the stale node."""
    if not crossing.used:
        return Answer()
    site = crossing.used[0]
    return Answer(site.file, site.line, statements.source_line(site.file, site.line))


Advise = Callable[[Holder | None, Store | None], str]


def answer_for(path: Path, advise: Advise, crossing: Crossing | None = None) -> Answer:
    """What to say of a name that keeps a graph: where it is stored, and what to change there."""
    made = crossing.made if crossing else ()
    used = crossing.used if crossing else ()
    stores = _stores(path)
    store = best_store(stores, path, made, used)
    bounded = any("detach" in other.code for other in stores)
    holder = Holder(expression(path), path.container)
    text = f"{holder.expression} ({path.via})" if path.via else holder.expression
    suggestion = advise(holder, store)
    if store is not None:
        return Answer(store.file, store.line, store.code, text, suggestion, bounded)
    if crossing is not None and crossing.used:
        site = crossing.used[0]
        code = statements.source_line(site.file, site.line)
        return Answer(site.file, site.line, code, text, suggestion)
    return Answer(holder=text, suggestion=suggestion)


def expression(path: Path) -> str:
    """The container rather than one of its elements."""
    return path.expression.partition("[")[0]


def _first_key(path: Path) -> str | None:
    """The key of the container's element: "'loss'" of `log['loss']`."""
    _, found, rest = path.expression.partition("[")
    return rest.partition("]")[0] if found else None


def store_of(path: Path) -> Store | None:
    """The statement that stores into the name, where nothing is known of the node's making."""
    return best_store(_stores(path), path, (), ())


def best_store(
    stores: list[Store], path: Path, made: tuple[Site, ...], used: tuple[Site, ...]
) -> Store | None:
    """The statement that stores into the name: the one on the way of the node's making, if any."""
    key = _first_key(path)
    stores = [
        store for store in stores if not store.fresh and store.key in (None, key or store.key)
    ]
    if not stores:
        return None
    lines = {(site.file, site.line) for site in (*made, *used)}
    functions = {(site.file, site.function) for site in (*made, *used)}

    def rank(store: Store) -> tuple[bool, bool, bool, bool, bool]:
        span = range(store.line, store.end_line + 1)
        return (
            any((store.file, line) in lines for line in span),
            (store.file, store.function) in functions,
            bool(path.owner) and store.owner == path.owner,
            store.how != "assign" if path.container else True,
            store.in_loop or store.function not in ("__init__", ""),
        )

    return max(stores, key=rank)


def _stores(path: Path) -> list[Store]:
    """Every statement that may store into the name."""
    if not path.attribute:
        found = statements.stores(path.file, path.name, attribute=False)
        if path.function:
            return [store for store in found if store.function == path.function]
        own = [s for s in found if s.function in ("", *_users_of_global(path))] or found
        return own + _elsewhere(path, skip=path.file)
    first = statements.stores(path.owner_file or path.file, path.name, attribute=True)
    return first + _elsewhere(path, skip=path.owner_file or path.file)


def _users_of_global(path: Path) -> tuple[str, ...]:
    """Functions that may store into a module's variable: by name, or into the thing itself."""
    found = statements.stores(path.file, path.name, attribute=False)
    return tuple(store.function for store in found)


def _elsewhere(path: Path, skip: str) -> list[Store]:
    """Stores in the program's other files, through an attribute: trainer.history.append(...)."""
    files = {file_of_module(module) for module in list(sys.modules.values())} - {skip, ""}
    return [
        store
        for file in sorted(files)
        if is_own(file)
        for store in statements.stores(file, path.name, attribute=True)
    ]


def of_held(current: int) -> Answer:
    """Who keeps the graphs of earlier iterations alive: the name that reaches most of them."""
    reach: dict[str, set[int]] = {}
    paths: dict[str, Path] = {}
    walked: dict[str, set[Node]] = {}
    left = _MOST_NODES

    def found(tensor: torch.Tensor, path: Path) -> None:
        nonlocal left
        node = graph_of(tensor)
        if node is None or left <= 0:
            return
        name = expression(path)
        paths.setdefault(name, path)
        seen = walked.setdefault(name, set())
        before = len(seen)
        reach.setdefault(name, set()).update(_generations(node, seen, left, current))
        left -= len(seen) - before

    visit(found, None, sys._getframe())  # noqa: SLF001
    walked.clear()
    held = {name: generations for name, generations in reach.items() if len(generations) > 1}
    if not held:
        return Answer()
    most = max(len(generations) for generations in held.values())
    names = [name for name, generations in held.items() if len(generations) == most]
    name = min(names, key=lambda name: (not _accumulates(paths[name]), paths[name].steps))
    return answer_for(paths[name], advice.let_go)


def _accumulates(path: Path) -> bool:
    """Whether the name itself gathers what it holds; others may only show its sum."""
    store = store_of(path)
    return bool(path.container) or (store is not None and store.accumulates)


def _generations(root: Node, seen: set[Node], most: int, current: int) -> set[int]:
    """The earlier generations whose marked nodes lie below the root."""
    generations: set[int] = set()
    waiting = [root]
    while waiting and most > 0:
        node = waiting.pop()
        if node in seen or sequence_of(node) >= LEAF:
            continue
        seen.add(node)
        most -= 1
        mark = sentinel_of(node)
        if mark is not None and mark.generation < current:
            generations.add(mark.generation)
        waiting.extend(edges(node))
    return generations


def of_graphless(site: Site | None) -> Answer:
    """Which statement made the tensor that a backward was called on, and that has no graph."""
    if site is None:
        return Answer()
    call = statements.statement_at(site.file, site.line)
    name = statements.receiver(call) if call is not None else None
    suggestion = "Call backward on the tensor that the graph leads to, before it is detached."
    if name is None:
        code = statements.source_line(site.file, site.line)
        return Answer(site.file, site.line, code, None, suggestion)
    last = name.rpartition(".")[2]
    stores = [
        store
        for store in statements.stores(site.file, last, attribute="." in name)
        if "." in name or store.function in (site.function, "") or site.function == "<module>"
    ]
    before = [store for store in stores if store.line < site.line] or stores
    if not before:
        code = statements.source_line(site.file, site.line)
        return Answer(site.file, site.line, code, name, suggestion)
    store = before[-1]
    return Answer(store.file, store.line, store.code, name, suggestion)


def of_unused(start: int, reached: Callable[[Node], bool]) -> Answer:
    """Where graphs of this iteration were built that no backward reached, if a name shows one."""
    answers: list[Answer] = []

    def found(tensor: torch.Tensor, path: Path) -> None:
        node = graph_of(tensor)
        if node is None or answers or sequence_of(node) < start or reached(node):
            return
        made = made_at(node)
        if made:
            code = statements.source_line(made[0].file, made[0].line)
            answers.append(Answer(made[0].file, made[0].line, code, expression(path)))
        elif store := store_of(path):
            answers.append(Answer(store.file, store.line, store.code, expression(path)))

    visit(found, None, sys._getframe())  # noqa: SLF001
    return answers[0] if answers else Answer()


def at(site: Site | None) -> Answer:
    """A fault that lies in a call itself."""
    if site is None:
        return Answer()
    return Answer(site.file, site.line, statements.source_line(site.file, site.line))


def in_a_cycle(site: Site) -> Answer:
    """No name leads to the graphs, and backward(create_graph=True) was used: they hold themselves.

    A parameter's .grad then has a graph that leads back to the parameter, through C++, where no
    collector sees it.
    """
    code = statements.source_line(site.file, site.line)
    suggestion = (
        "Use torch.autograd.grad(..., create_graph=True), which leaves nothing in .grad; "
        "or set .grad = None on every parameter after its use."
    )
    return Answer(site.file, site.line, code, "a cycle through .grad", suggestion)
