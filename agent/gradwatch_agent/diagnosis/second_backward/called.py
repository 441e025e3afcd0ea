"""By which name goes what an earlier backward freed, or what was made of it."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from gradwatch_agent.diagnosis.second_backward.freed import Shared
from gradwatch_agent.graph.walking import made_of, walk
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.frames import reaching
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.torch_seam import LEAF, Node, edges, holds_saved, is_freed, sequence_of


def first_named(tops: list[Shared]) -> tuple[Shared, Path | None]:
    """The first of them that goes by a name, with the shortest one."""
    names = names_of([top.node for top in tops])
    top = next((top for top in tops if top.node in names), tops[0])
    return top, nearest(names.get(top.node, []))


def nearest(paths: Iterable[Path]) -> Path | None:
    """The shortest; of variables that of the function which calls backward, if it has one."""
    found = list(paths)
    shortest = min(found, key=lambda path: path.steps, default=None)
    if shortest is None or shortest.parent is not None:
        return shortest
    frames = reaching(sys._getframe())  # noqa: SLF001
    code = frames[-1].f_code if frames else None
    here = (code.co_filename, code.co_firstlineno) if code is not None else None
    local = (path for path in found if path.parent is None and (path.file, path.line) == here)
    return next(local, shortest)


def name_of_all(path: Path, tops: list[Shared]) -> str:
    """Its name; of one element of a list that is one among several of these, the list's."""
    if not path.index:
        return path.expression
    found = [p for named in names_of([top.node for top in tops]).values() for p in named]
    elements = {p.expression for p in found if p.holder.expression == path.holder.expression}
    return path.holder.expression if len(elements) > 1 else path.expression


def name_of(path: Path | None, roots: list[Node], tops: list[Shared]) -> str | None:
    """The name of what was freed; else of the first that was made of it and has one."""
    found = path or first_made(roots, tops)
    return found.expression if found is not None else name_of_one(roots)


def first_made(roots: list[Node], tops: list[Shared]) -> Path | None:
    """The first that was made of it and has a name, short of the loss itself."""
    made = made_of(roots, [top.node for top in tops])
    return _shortest([node for node in made if node not in roots])


def name_of_one(roots: list[Node]) -> str | None:
    """By which name the failing backward was called, where nothing else has one."""
    found = _shortest(roots)
    return found.expression if found is not None else None


def names_within(roots: list[Node]) -> set[str]:
    """The names of all that lies in their graph, but for leaves."""
    nodes = [node for node in walk(roots) if sequence_of(node) < LEAF]
    return {path.expression for named in names_of(nodes).values() for path in named}


def _shortest(nodes: list[Node]) -> Path | None:
    names = names_of(nodes)
    named = next((names[node] for node in nodes if node in names), [])
    return nearest(named)


def viewed(tops: list[Shared]) -> list[Node]:
    """What was freed, and what it was made of by what saves nothing, as reshaping."""
    found, waiting = [], [top.node for top in tops]
    while waiting:
        node = waiting.pop()
        found.append(node)
        below = list(edges(node))
        if len(below) == 1 and not is_freed(node) and not holds_saved(node):
            waiting += below
    return found
