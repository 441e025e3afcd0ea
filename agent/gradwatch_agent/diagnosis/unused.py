"""`graph-unused`: which statement built the graphs that no backward reached.

Such a graph is often dead by then. But while the window is open, the lines of each new node are
noted under its number, and the numbers that no backward reached lead to the lines.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Final

from gradwatch_agent.diagnosis.answering import at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.text import code_of, statement_at, tree
from gradwatch_agent.verdicts.case import Answer

Lines = tuple[Site, ...]

_MOST: Final = 0.5
"""The statement that is named built at least this share of the nodes in vain."""


def of_unused(notes: Mapping[int, Lines], reached: Callable[[int], bool]) -> Answer:
    """The statement from which most of the unreached graph was built."""
    wanted: set[Lines] = set()
    vain: Counter[Lines] = Counter()
    for number, lines in notes.items():
        if reached(number):
            wanted.add(lines)
        elif lines:
            vain[lines] += 1
    useful = {(site.file, site.line) for lines in wanted for site in lines}
    places: Counter[Site] = Counter()
    for lines, count in vain.items():
        site = _entry(lines, useful)
        if site is not None:
            places[site] += count
    if not places:
        return Answer()
    site, count = places.most_common(1)[0]
    if count < _MOST * vain.total():
        outer = _common([lines for lines in vain if _entry(lines, useful) is not None])
        if outer is not None and all(outer in lines for lines in wanted):
            return Answer()  # all that the job does is done there
        site = outer or site
    return at(site, _advice(site))


def _entry(lines: Lines, useful: set[tuple[str, int]]) -> Site | None:
    """The innermost line, from outside, before the way goes where useful graphs are built too.

    A model's own code builds graphs rightly: that nobody wants them is up to who calls it.
    """
    entry = None
    for site in reversed(lines):
        if (site.file, site.line) not in useful:
            entry = site if entry is None or not _is_model(site) else entry
        elif entry is not None:
            break
    return entry


def _is_model(site: Site) -> bool:
    """Whether the line is of a class that has a forward."""
    module = tree(site.file)
    return module is not None and any(
        isinstance(node, ast.ClassDef)
        and node.lineno <= site.line <= (node.end_lineno or node.lineno)
        and any(getattr(part, "name", "") == "forward" for part in node.body)
        for node in ast.walk(module)
    )


def _common(several: list[Lines]) -> Site | None:
    """The innermost line that all have in common."""
    if not several:
        return None
    for site in several[0]:
        if all(site in lines for lines in several):
            return site
    return None


def _advice(site: Site) -> str:
    """The statement under no_grad."""
    statement = statement_at(site.file, site.line)
    simple = isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr)
    if statement is None or not simple:
        return "Do it under `with torch.no_grad():`, so that no graph is built."
    code = code_of(site.file, statement).partition("  #")[0]
    if _heads(code):  # of a loop and its body in one line, the statement alone
        code = ast.unparse(statement)
    return f"Do it under no_grad, so that no graph is built: `with torch.no_grad(): {code}`."


def _heads(code: str) -> bool:
    """Whether the line begins with the head of something that holds more statements."""
    try:
        return hasattr(ast.parse(code).body[0], "body")
    except SyntaxError:
        return False
