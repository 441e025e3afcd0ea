"""What both losses need was computed once, with weights that the second one trains on top of what
the first one has trained: as a discriminator's scores of what a generator has made. Detached, they
would train nobody; computed anew, of what is detached, they train the discriminator alone. Holds
nodes only while it is asked.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from gradwatch_agent.advice.rewriting import name_detached
from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.diagnosis.second_backward.called import nearest
from gradwatch_agent.diagnosis.second_backward.renewing import made_ahead
from gradwatch_agent.diagnosis.second_backward.spelling import called_there
from gradwatch_agent.graph.walking import bottom_up
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of
from gradwatch_agent.verdicts.case import Answer


def judged(tops: list[Node], own: Collection[int]) -> list[Node]:
    """The uppermost nodes below which none of its `own` weights lie, but others' do; none unless
    each of them was computed: what merely lies beside its own is no input of theirs.
    """
    below: dict[Node, tuple[bool, bool]] = {}
    found: list[Node] = []
    for node in bottom_up(tops):
        below[node] = _below(node, below, own)
        if below[node][0]:
            found += [child for child in edges(node) if below.get(child) == (False, True)]
    uppermost = list(dict.fromkeys(found))
    return [] if any(map(_is_weight, uppermost)) else uppermost


def _below(
    node: Node, below: dict[Node, tuple[bool, bool]], own: Collection[int]
) -> tuple[bool, bool]:
    """Whether its own weights lie there, and whether others' do."""
    if sequence_of(node) >= LEAF:
        mine = id(node.variable) in own
        return mine, not mine
    children = [below[child] for child in edges(node) if child in below]
    return any(mine for mine, _ in children), any(others for _, others in children)


def _is_weight(node: Node) -> bool:
    """Whether it is a leaf's, or that of another view of one."""
    return sequence_of(_views(node)[-1]) >= LEAF


def _views(node: Node) -> list[Node]:
    """The node, and what lies below it as long as each was made of one thing alone."""
    found = [node]
    while sequence_of(found[-1]) < LEAF and len(edges(found[-1])) == 1:
        found += edges(found[-1])
    return found


def _name(inputs: list[Node]) -> Path | None:
    """The uppermost name below which all that is."""
    if len(inputs) != 1:
        return None
    views = _views(inputs[0])
    names = names_of(views)
    return next((path for node in views if (path := nearest(names.get(node, ())))), None)


def judged_anew(site: Site, now: Site, path: Path | None, inputs: list[Node]) -> Answer:
    """The second loss is to have it computed anew, of `inputs` that are detached; `site` is where
    it reads what `path` leads to.
    """
    name = path.expression if path is not None else None
    given = _name(inputs)
    made = made_ahead(now, name) if name is not None else None
    code = _of_detached(made, given, now.file) if made is not None and given is not None else None
    what = f"`{name}`" if name is not None else "what both need"
    of = f"`{given.expression}.detach()`" if given is not None else "a detached input"
    this = "this backward" if name == loss_of(now) else "this loss"
    anew = f"Ahead of {this}: `{code}`" if code else f"Compute {what} anew for {this}, of {of}"
    why = f"it trains what {what} was computed with, and a backward has walked that already"
    return at(site, f"{anew}, for {why}.", name)


def _of_detached(made: ast.stmt, given: Path, file: str) -> str | None:
    """The statement that makes it, reading its input detached."""
    name = called_there(given, made, file)
    return name_detached(made, name) if name is not None else None
