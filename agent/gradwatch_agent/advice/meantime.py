"""What a program runs between a step and the backward that fails, by the lines of both calls. Pure
but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.statements import Body, Located, body_around


class Meantime(NamedTuple):
    """Between a step and the backward that fails."""

    nodes: list[tuple[str, Located]]
    """What stands there, each with its file; if that comes again for the next loss, all that
    does."""
    comes_round: bool
    """Whether it does: both are run for one loss after the other."""


def meantime(step: Lines, failing: Lines) -> Meantime:
    """Of a step whose own line alone is known, what the function of both runs."""
    before, behind = _both(step, failing)
    pairs = zip(before, behind, strict=False)
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if at is None:
        return Meantime([], comes_round=False)
    one, other = before[at], behind[at]
    same = _body(one) is not None and _body(one) is _body(other)
    comes_round = same and other.line <= one.line
    parts = [(site, range(site.line + 1, _end(site))) for site in before[at + same :]]
    parts += [(site, range(_begin(site), site.line + 1)) for site in behind[at + same :]]
    if comes_round:
        parts += _round(before[: at + 1])
    elif same:
        parts.append((one, range(one.line + 1, other.line + 1)))
    return Meantime(list(_nodes(parts)), comes_round)


def _both(step: Lines, failing: Lines) -> tuple[Lines, Lines]:
    """The outermost first; where but the inner ones of the step are known, from there on."""
    known = _body(step[-1])
    if len(step) == 1 or (failing and _body(failing[-1]) is not known):
        failing = next((failing[: at + 1] for at, s in enumerate(failing) if _body(s) is known), ())
    return step[::-1], failing[::-1]


def _round(waiting: Lines) -> Iterator[tuple[Site, range]]:
    """The innermost loop that comes round, of functions that wait for one another, and all of those
    that it calls.
    """
    for site in reversed(waiting):
        body = _body(site)
        loops = loops_at(body, site.line) if body is not None else []
        if loops:
            yield site, range(loops[-1].lineno, (loops[-1].end_lineno or site.line) + 1)
            return
        yield site, range(_begin(site), _end(site))


def _body(site: Site) -> Body | None:
    return body_around(site.file, site.line)


def _begin(site: Site) -> int:
    """The function's; a module runs but once."""
    return getattr(_body(site), "lineno", site.line)


def _end(site: Site) -> int:
    return (getattr(_body(site), "end_lineno", None) or site.line) + 1


def _nodes(parts: list[tuple[Site, range]]) -> Iterator[tuple[str, Located]]:
    for site, lines in parts:
        body = _body(site)
        for node in ast.walk(body) if body is not None else ():
            if getattr(node, "lineno", 0) in lines:
                yield site.file, node  # type: ignore[misc]  # it has a line
