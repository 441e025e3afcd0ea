"""`retain-needless`: which statement asks for the graph to be retained."""

from __future__ import annotations

import ast
from dataclasses import replace

from gradwatch_agent.advice.rewriting import replaced
from gradwatch_agent.diagnosis.place.at_line import at, at_line
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.occasions import later
from gradwatch_agent.source.gradients.retaining import retaining
from gradwatch_agent.source.syntax.reading import called, names_given, reads, reads_closely
from gradwatch_agent.source.syntax.statements import statements_of
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING
from gradwatch_agent.verdicts.case import Answer


def of_retained(lines: Lines) -> Answer:
    """`lines`: of the last backward that left its graph's buffers in place."""
    answer = at(next(iter(lines), None))
    way = [(site.file, site.line) for site in lines]
    asked = retaining(way, own_files()) if way else None
    if asked is not None:
        return at_line(answer, asked[0], asked[1].lineno, code_of(*asked))
    advice = _for_an_occasion(lines[0]) if lines else None
    return replace(answer, suggestion=advice) if advice is not None else answer


def _for_an_occasion(site: Site) -> str | None:
    """Where the function walks a graph again under a condition that was not met so far."""
    statement = statement_at(site.file, site.line, calling=WALKING)
    roots = _roots(statement, site) if statement is not None else set()
    occasion = later(site.file, site.line, lambda each: not roots.isdisjoint(_walked(each)))
    if occasion is None:
        return None
    said = f"Line {occasion.line} may walk it again, but only now and then: keep it for that alone"
    words = (part for part in ast.walk(statement or ast.Pass()) if isinstance(part, ast.keyword))
    word = next((each for each in words if each.arg == "retain_graph"), None)
    if statement is None or word is None or not occasion.is_plain:
        return f"{said}, by retain_graph=..."
    return f"{said}, `{replaced(statement, word.value, occasion.test)}`."


def _roots(statement: ast.stmt, site: Site) -> set[str]:
    """What the statement walks, and what that was made of, by names."""
    names = set(_walked(statement))
    for each in statements_of(site.file, site.line):
        if each.lineno < site.line and not names.isdisjoint(names_given(each)):
            names |= set(reads_closely(each))
    return names


def _walked(statement: ast.stmt) -> list[str]:
    """Of what it calls a backward, or asks for gradients."""
    calls = (part for part in ast.walk(statement) if isinstance(part, ast.Call))
    walking = [call for call in calls if called(call) in WALKING]
    owners = [call.func.value for call in walking if isinstance(call.func, ast.Attribute)]
    roots = (*owners, *(call.args[0] for call in walking if call.args))
    names = (name for each in roots for name in reads(each))
    return [name for name in names if name.partition(".")[0] != "torch"]
