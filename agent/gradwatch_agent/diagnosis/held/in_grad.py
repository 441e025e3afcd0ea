"""Gradients that have a graph, left in `.grad`: it leads back to the parameter, and on to what was
added up there before.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.letting_go import clear_gradients
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.gradients.graded import gradient_read
from gradwatch_agent.source.syntax.text import source_line, statement_at
from gradwatch_agent.verdicts.case import Answer

_HOW = "a cycle: backward(create_graph=True) gave it a graph that leads back to the parameter"


def of_left_in_grad(site: Site, named: str | None) -> Answer:
    """What to say of the backward at the site that left them; `named`: one of them, if it is."""
    holder = named or gradient_read(site.file, site.line) or "p.grad"
    code, statement = source_line(site.file, site.line), statement_at(site.file, site.line)
    advice = clear_gradients(ast.unparse(statement) if statement is not None else code, holder)
    return at_line(Answer(holder=holder, suggestion=advice, how=_HOW), site.file, site.line, code)
