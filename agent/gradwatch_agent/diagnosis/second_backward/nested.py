"""`second-backward` within a backward: a custom Function whose own asks for gradients.

A solver or an implicit layer keeps a graph of its own, which its first backward frees: whoever
retains the graph around it and comes again finds it gone. Pure but for reading.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.retaining import keeping
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.verdicts.case import Answer


def of_nested(failed: Site) -> Answer:
    """The line of the same function that frees what the failing one asks for; else that one.
    Nothing if it asks for no gradients.
    """
    calls = _gradients(failed)
    asked = next((_of_what(each) for each in calls if each.lineno == failed.line), None)
    if asked is None:
        return Answer()
    for call in calls:
        if _of_what(call) == asked:
            site, kept = keeping((Site(failed.file, call.lineno, failed.function),))
            if kept is not None:
                return at(site, kept, asked)
    return at(failed, holder=asked)


def _gradients(site: Site) -> list[ast.Call]:
    """The function's calls of `autograd.grad`."""
    body = body_around(site.file, site.line)
    calls = (n for n in ast.walk(body) if isinstance(n, ast.Call)) if body is not None else ()
    return [each for each in calls if called(each) == "grad" and each.args]


def _of_what(call: ast.Call) -> str:
    return ast.unparse(call.args[0])
