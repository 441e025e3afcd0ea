"""Python source as lines of inked text, the culprit marked.

Owns what is highlighted and which lines are the culprit's. Must not know widgets or colours.
The lines come from a job: they are bounded here, whatever was sent. Pure.
"""

from __future__ import annotations

import textwrap
from functools import lru_cache
from typing import Final

from gradwatch.tui.lines import Line, fit, folded, width_of
from gradwatch_agent.wire import Finding

_MOST_LINES: Final = 15
_LONGEST: Final = 240
"""Characters of a line; the agent sends fewer, who speaks in its place may not."""

_MOST_FOLDS: Final = 4
"""Rows that one line of a statement gets, on a screen too narrow for it."""

_INKS: Final = {
    "Comment": "comment",
    "Keyword": "keyword",
    "Operator.Word": "keyword",
    "Literal.String": "string",
    "Literal.Number": "number",
    "Name.Builtin": "builtin",
    "Name.Function": "builtin",
    "Name.Decorator": "builtin",
}
"""Kinds of tokens that are told apart, by the beginning of their names."""


def listing(finding: Finding, width: int, around: int) -> list[Line]:
    """The source around the finding's line, each line numbered; without source, the statement."""
    if finding.line is None:
        return []
    if finding.source is None or not finding.source.lines:
        return _numbered(finding.line, _plain(finding.code), width, marked=True)
    first, lines = finding.source.first, bounded(finding.source.lines)
    culprits = culprit(finding, first, lines)
    shown = range(finding.line - around, culprits.stop + around)
    return [
        row
        for i, line in enumerate(highlighted(lines))
        if first + i in shown
        for row in _numbered(first + i, list(line), width, marked=first + i in culprits)
    ]


def bounded(lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines without the indent they share, no more and no longer than can be of use."""
    kept = [line[:_LONGEST].rstrip() for line in lines[:_MOST_LINES]]
    return tuple(textwrap.dedent("\n".join(kept)).split("\n"))


def culprit(finding: Finding, first: int, lines: tuple[str, ...]) -> range:
    """The lines of the statement to change: those that its one-line form is joined from."""
    line, rest = finding.line or 0, finding.code or ""
    after = line
    for text in (text.strip() for text in lines[max(line - first, 0) :]):
        if not rest or not text or not rest.startswith(text):
            break
        rest, after = rest[len(text) :].lstrip(), after + 1
    return range(line, max(after, line + 1))


@lru_cache(maxsize=32)
def highlighted(lines: tuple[str, ...]) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Each line in pieces, inked by what they are."""
    # Not needed for the first frame, and slow to import.
    from pygments.lexers.python import PythonLexer

    rows: list[list[tuple[str, str]]] = [[]]
    for token, text in PythonLexer(stripnl=False, ensurenl=False).get_tokens("\n".join(lines)):
        ink = _ink(str(token).removeprefix("Token."))
        head, *more = text.split("\n")
        rows[-1].append((head, ink))
        rows += [[(part, ink)] for part in more]
    return tuple(tuple(piece for piece in row if piece[0]) for row in rows[: len(lines)])


def _ink(token: str) -> str:
    found = (ink for kind, ink in _INKS.items() if token == kind or token.startswith(f"{kind}."))
    return next(found, "text")


def _plain(code: str | None) -> Line:
    return [(code, "code")] if code else [("the source is not known", "muted")]


def _numbered(number: int, line: Line, width: int, *, marked: bool) -> list[Line]:
    """The line behind its number; the culprit's has a mark that needs no colour, and is whole."""
    if not marked:
        return [fit([(f"   {number:>5}  ", "faint"), *line], width)]
    first: Line = [(" ▶ ", "critical"), (f"{number:>5}  ", "strong")]
    more: Line = [(" " * width_of(first), "strong")]
    rows = folded(line, max(width - width_of(first), 1))[:_MOST_FOLDS]
    return [
        [(text, f"{ink}+marked") for text, ink in fit([*(more if i else first), *row], width)]
        for i, row in enumerate(rows)
    ]
