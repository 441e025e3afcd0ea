"""What is said of a statement that changes in place what backward needs, and of what saved that."""

from __future__ import annotations

from gradwatch_agent.advice.copying import change_a_copy
from gradwatch_agent.diagnosis.inplace.in_sequence import of_a_sequence
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.changing import InPlace
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts.case import Answer


def answer_at(site: Site, found: list[InPlace], node: Node) -> Answer:
    """At the statement of the line that changes it; at a module's call, where none there does and
    it is not known where that is made. `node`: what saved it.
    """
    if not found:
        advice = "Make the module without inplace=True, so that it leaves its input alone."
        return of_a_sequence(node) or at(site, advice)
    first = found[0]
    return at(
        Site(site.file, first.line, site.function), change_a_copy(first, own_files()), first.name
    )


def word(node: Node) -> str:
    """What saved it, and where."""
    made = made_at(node)
    saved = f" in line {made[0].line}" if made else ""
    return f"{type(node).__name__.removesuffix('0').removesuffix('Backward')} saved it{saved}."
