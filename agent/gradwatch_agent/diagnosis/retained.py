"""`retain-needless`: which statement asks for the graph to be retained."""

from __future__ import annotations

from gradwatch_agent.diagnosis.place.at_line import at, at_line
from gradwatch_agent.lines.sites import Lines
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.retaining import retaining
from gradwatch_agent.source.syntax.text import code_of
from gradwatch_agent.verdicts.case import Answer


def of_retained(lines: Lines) -> Answer:
    """`lines`: of the last backward that left its graph's buffers in place."""
    answer = at(next(iter(lines), None))
    way = [(site.file, site.line) for site in lines]
    asked = retaining(way, own_files()) if way else None
    return at_line(answer, asked[0], asked[1].lineno, code_of(*asked)) if asked else answer
