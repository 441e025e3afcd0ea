"""`graph-unused`: which statement built the graphs that no backward reached.

Such a graph is often dead by then. But while the window is open, the lines of each new node are
noted under its number, and the numbers that no backward reached lead to the lines.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.tally import Tally
from gradwatch_agent.lines.capture import Window
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.flow.occasions import always, later
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.syntax.reading import dotted, names_given, only_looks
from gradwatch_agent.source.syntax.text import code_of, nodes, statement_at
from gradwatch_agent.verdicts.case import Answer

Lines = tuple[Site, ...]

_MOST: Final = 0.5
"""The statement that is named built at least this share of the nodes in vain."""

_NEARLY_ALL: Final = 0.9
"""The one by which several statements did, so much of them: a step of an optimizer's builds a few.
"""

_BESIDE: Final = 0.2
"""What a step, and whatever else stands by, builds at most beside the alternatives of a choice."""

_IN_VAIN: Final = 48
"""Iterations of a run whose lines are noted to see what builds graphs in vain: an evaluation comes
only so often."""


class Vain:
    """Of one training thread: when the lines are to be noted, and what they tell."""

    def __init__(self, census: Census, window: Window) -> None:
        self._census = census
        self._window = window
        self.seeks = False
        """It is to be seen which line builds graphs in vain."""
        self._left = _IN_VAIN

    def shows(self, tally: Tally, record: wire.Iteration) -> bool:
        """Whether this iteration shows what builds graphs in vain, or none has for too long."""
        if self._left and tally.in_vain(self._census.reached_among) is None:
            self._left -= 1
            return bool(record.unused and self._window.notes())
        return True

    def are_alternatives(self, tally: Tally) -> bool:
        """Whether nearly all are built by the very lines that build what is used: the best of
        several is chosen later.
        """
        if tally.in_vain(self._census.reached_among) is not None:
            return False
        wanted, vain = _sorted(self._window.notes(), self._census.reached_number)
        useful = set(map(_places, wanted))
        others = sum(count for lines, count in vain.items() if _places(lines) not in useful)
        return bool(vain) and others <= _BESIDE * vain.total()

    def answer(self, tally: Tally) -> Answer:
        """What builds them."""
        created = tally.in_vain(self._census.reached_among)
        if created is not None:
            advice = (
                "Pass create_graph=True only where a backward walks the graph that it builds: "
                "most of the time none does."
            )
            return replace(at(created.site), suggestion=advice)
        return of_unused(self._window.notes(), self._census.reached_number)


def of_unused(notes: Mapping[int, Lines], reached: Callable[[int], bool]) -> Answer:
    """The statement from which most of the unreached graph was built."""
    wanted, vain = _sorted(notes, reached)
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
        outer = _common({lines: n for lines, n in vain.items() if _entry(lines, useful)})
        if outer is not None and all(outer in lines for lines in wanted):
            return Answer()  # all that the job does is done there
        site = outer or site
    return at(site, _advice(site))


def _sorted(
    notes: Mapping[int, Lines], reached: Callable[[int], bool]
) -> tuple[set[Lines], Counter[Lines]]:
    """The lines of what was reached; those of what was not, and how much they built."""
    wanted: set[Lines] = set()
    vain: Counter[Lines] = Counter()
    for number, lines in notes.items():
        if reached(number):
            wanted.add(lines)
        elif lines:
            vain[lines] += 1
    return wanted, vain


def _places(lines: Lines) -> frozenset[tuple[str, int]]:
    """Whatever frames a comprehension has of its own."""
    return frozenset((site.file, site.line) for site in lines)


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
    return any(
        isinstance(node, ast.ClassDef)
        and node.lineno <= site.line <= (node.end_lineno or node.lineno)
        and any(getattr(part, "name", "") == "forward" for part in node.body)
        for node in nodes(site.file)
    )


def _common(vain: Mapping[Lines, int]) -> Site | None:
    """The innermost line by which nearly all were built."""
    built: Counter[Site] = Counter()
    for lines, count in vain.items():
        for site in dict.fromkeys(lines):
            built[site] += count
    most = _NEARLY_ALL * sum(vain.values())
    inner = {site: at for lines in vain for at, site in enumerate(lines)}
    enough = [site for site, count in built.items() if count >= most]
    return min(enough, key=lambda site: (built[site], inner[site]), default=None)


def _is_made_of(statement: ast.stmt, names: frozenset[str]) -> bool:
    """Whether it makes something of one of these that may have a graph."""
    value = getattr(statement, "value", None)
    made = isinstance(statement, ast.Assign | ast.AugAssign) and not is_cut(value)
    return made and value is not None and not names.isdisjoint(_with_their_graphs(value))


def _with_their_graphs(value: ast.AST) -> Iterator[str]:
    """What it reads, but for what it detaches: `old - new.detach()`."""
    if isinstance(value, ast.expr) and is_cut(value):
        return
    if (name := dotted(value)) is not None:
        yield name
    for child in ast.iter_child_nodes(value):
        if not only_looks(child):
            yield from _with_their_graphs(child)


def _advice(site: Site) -> str:
    """The statement under no_grad."""
    statement = statement_at(site.file, site.line)
    simple = isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr)
    if statement is None or not simple:
        return "Do it under `with torch.no_grad():`, so that no graph is built."
    code = code_of(site.file, statement).partition("  #")[0]
    if _heads(code):  # of a loop and its body in one line, the statement alone
        code = ast.unparse(statement)
    of_it = functools.partial(_is_made_of, names=names_given(statement))
    occasion = later(site.file, site.line, of_it)
    if occasion is not None and always(site.file, site.line, of_it):
        return (
            "Some of it may be trained by: compute it with its graph only where a backward is to "
            f"walk that, else `with torch.no_grad(): {code}`."
        )
    if occasion is not None:
        test = ast.unparse(occasion.test) if occasion.is_plain else "..."
        return (
            f"Line {occasion.line} may train by it, but only now and then: build its graph for "
            f"that alone, `with torch.set_grad_enabled({test}): {code}`."
        )
    if site.function.rpartition(".")[2] == "forward":  # a head that is forgotten in the loss
        given = ast.unparse(statement.targets[0]) if isinstance(statement, ast.Assign) else "it"
        return (
            f"If `{given}` is to train anything, the loss must read it; else do it under no_grad, "
            f"so that no graph is built: `with torch.no_grad(): {code}`."
        )
    return f"Do it under no_grad, so that no graph is built: `with torch.no_grad(): {code}`."


def _heads(code: str) -> bool:
    """Whether the line begins with the head of something that holds more statements."""
    try:
        return hasattr(ast.parse(code).body[0], "body")
    except SyntaxError:
        return False
