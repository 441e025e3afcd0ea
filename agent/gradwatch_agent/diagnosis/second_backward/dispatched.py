"""`second-backward` of two losses that methods of one name make, each of another class: the lines
tell by which of them the second was made, and so by which the first was. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradwatch_agent.advice.rewriting import name_detached
from gradwatch_agent.diagnosis.second_backward.freed import Shared
from gradwatch_agent.diagnosis.second_backward.parted import making, needs_none
from gradwatch_agent.diagnosis.second_backward.spelling import spelled
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.syntax.statements import Function, is_in, statements_of
from gradwatch_agent.verdicts.case import Answer


def cut_in_the_other(path: Path, earlier: Earlier, top: Shared) -> Answer | None:
    """The statement of the other method that reads what the path leads to, if it is but one."""
    found = {
        Site(file, statement.lineno, function.name): code
        for file, function in _others(earlier, top)
        for statement in statements_of(file, function.body[0].lineno)
        if (name := spelled(path, statement)) is not None and ("." in name or not path.attribute)
        if (code := name_detached(statement, name)) is not None
    }
    return needs_none(path, *next(iter(found.items()))) if len(found) == 1 else None


def _others(earlier: Earlier, top: Shared) -> Iterator[tuple[str, Function]]:
    """The methods of the same name as one by which the second loss was made, where the first loss
    was made by one of them.
    """
    for site in earlier.lines:
        ahead = [each for each in statements_of(site.file, site.line) if each.lineno < site.line]
        calls = (n for s in making(site, ahead) for n in ast.walk(s) if isinstance(n, ast.Call))
        for call in calls:
            every = callees(call, own_files())
            others = [each for each in every if not _has_made(*each, top)]
            if len(others) < len(every):
                yield from others


def _has_made(file: str, function: Function, top: Shared) -> bool:
    return any(site.file == file and is_in(function.body, site.line) for site in top.used)
