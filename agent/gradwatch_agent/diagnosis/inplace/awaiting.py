"""What had been built from a weight, and waited for its backward, while a step changed it.

Holds nodes only while it is asked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from gradwatch_agent.diagnosis.place.at_line import line_of
from gradwatch_agent.diagnosis.second_backward.freed import Shared
from gradwatch_agent.diagnosis.second_backward.parted import cut_in_the_second
from gradwatch_agent.diagnosis.stepping import stepped_behind
from gradwatch_agent.graph.walking import bottom_up, parameters
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.torch_seam import Node, edges, sequence_of

_MOST_NAMED: Final = 64
"""Nodes of which the names are sought; a loss is built from few values."""


class Waiting(NamedTuple):
    """What waited, by its name."""

    path: Path
    node: Node
    above: tuple[Node, ...]
    """What the loss has made of it."""


def awaiting(roots: list[Node], outdated: Node, step: int, loss: str | None) -> Waiting | None:
    """By which name what was built before `step` (where the numbering of nodes stood) is known, if
    the loss comes by it to the node whose weight was changed. Another name than `loss` if there is.
    """
    above = {outdated}
    tops = [outdated]
    for node in bottom_up(roots):
        if not above.isdisjoint(edges(node)):
            above.add(node)
            if sequence_of(node) < step:
                tops.append(node)
    lower = {child for node in tops for child in edges(node)}
    uppermost = [node for node in tops if node not in lower]
    names = names_of(uppermost[:_MOST_NAMED])
    paths = [(path, node) for node in uppermost for path in names.get(node, ())]
    ranked = min(paths, key=lambda p: (p[0].expression == loss, p[0].steps), default=None)
    if ranked is None:
        return None
    path, node = ranked
    return Waiting(path, node, tuple(each for each in above if node in edges(each)))


def cut_where_in_vain(waiting: Waiting, now: Site | None, file: str) -> str | None:
    """How the loss is to let go of it, where it reads it: what would be trained below, none of the
    optimizers steps that come next, and its own has stepped already. None where some does, or that
    is not known. `file`: where the step stands, at which this is told.
    """
    following = stepped_behind()
    if now is None or not following or not following.isdisjoint(parameters([waiting.node])):
        return None
    used = tuple(site for each in waiting.above for site in made_at(each)[:1])
    top = Shared(waiting.node, tuple(dict.fromkeys(used)), made_at(waiting.node))
    answer = cut_in_the_second(top, waiting.path, now)
    if answer.line is None:
        return None
    return f"In {line_of(answer, file)}: {answer.suggestion}"
