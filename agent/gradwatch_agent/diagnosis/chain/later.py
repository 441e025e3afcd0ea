"""What was made of a stale node after its iteration, and carries it on in its place."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from gradwatch_agent.diagnosis.chain.choosing import is_read, keeper
from gradwatch_agent.diagnosis.chain.names import Names
from gradwatch_agent.diagnosis.chain.renamed import handed_back, is_only_given, lasting
from gradwatch_agent.diagnosis.lasting.anew import Anew
from gradwatch_agent.diagnosis.lasting.variables import may_last
from gradwatch_agent.diagnosis.place.attributes import as_attribute
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines, call_sites
from gradwatch_agent.source.syntax.places import Place
from gradwatch_agent.torch_seam import Node, edges


def put_by(made: list[Node]) -> list[Node]:
    """Of what was made of a stale node, what the round before put by for this one, which goes on
    from there; all where no lines tell.
    """
    lines = call_sites(sys._getframe())  # noqa: SLF001
    late = {node for node in made if _stands_behind(made_at(node), lines)}
    read = {below for node in made if node not in late for below in edges(node)}
    return [node for node in made if node in late and node in read] or made


def is_handed_on(crossing: Crossing) -> bool:
    """Whether what uses the stale node stands after the backward, so that the round before ran it
    when its own was done.
    """
    return _stands_behind(crossing.used, call_sites(sys._getframe()))  # noqa: SLF001


def _stands_behind(lines: Lines, backward: Lines) -> bool:
    for used, call in zip(reversed(lines), reversed(backward), strict=False):
        if (used.file, used.line) != (call.file, call.line):
            same = (used.file, used.function) == (call.file, call.function)
            return same and used.line > call.line
    return False


def lasting_of(
    made: list[Node], crossing: Crossing, now: Names, read: set[Place], anew: Anew
) -> Iterator[Known]:
    """The names of these nodes by which they may be handed on to the next iteration: where places
    are `read`, those of them, and what is no plain variable.
    """
    serials = {node: serial for serial, node in now.nodes.items()}
    for node in made:
        for path, scalar in now.paths[serials[node]] if node in serials else ():
            told = path.attribute or path.steps > 0 or not read or is_read(path, read)
            if told and may_last(path, anew):
                path, scalar = handed_back(path, now.paths[serials[node]]) or (path, scalar)
                if is_only_given(path.root):
                    path = lasting(path, now.aliases, anew)
                way = as_attribute(path)
                yield Known(keeper(way), way, scalar, made=made_at(node), used=crossing.used)
