"""The user's source around a finding's line, sent along with it: who looks lacks the file.

Owns how much is sent. Must not know how a finding came about. Pure but for reading.
"""

from __future__ import annotations

from typing import Final

import msgspec

from gradwatch_agent.source.syntax.text import lines
from gradwatch_agent.wire import Excerpt, Finding

_AROUND: Final = 5
"""Lines above and below: a loop's head is mostly within so many, and a small screen shows them."""

_LONGEST: Final = 200
"""Characters kept of a line; with all of them an excerpt is at most some 2 kB."""

_TAB: Final = 4
"""Columns of a tab, as most editors show Python."""


def with_source(finding: Finding) -> Finding:
    """The finding with the lines around its own; as it is where there are none."""
    if finding.file is None or finding.line is None or finding.source is not None:
        return finding
    known = lines(finding.file)
    if not 1 <= finding.line <= len(known):
        return finding
    first = max(finding.line - _AROUND, 1)
    shown = known[first - 1 : finding.line + _AROUND]
    kept = tuple(line.rstrip().expandtabs(_TAB)[:_LONGEST] for line in shown)
    return msgspec.structs.replace(finding, source=Excerpt(first, kept))
