"""What a command prints, as lines fit for a screen.

Owns what is kept of it, and how it is cleaned: nobody knows what a script prints. Must not know
where it comes from, nor widgets. Pure.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gradwatch_agent.wire import clean

_LINES: Final = 2_000
"""Kept; what came before is in the whole output, after the dashboard has closed."""
_LONGEST: Final = 1_000
"""Characters of a line; what is more is not seen on any screen."""
_TAB: Final = 8

_ESCAPES: Final = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor
    r"|\x1b\][^\x07\x1b]{0,512}(?:\x07|\x1b\\)"  # titles, links
    r"|\x1b[()*+][A-Za-z0-9]"  # sets of characters
    r"|[\x00-\x06\x07\x0e\x0f]"
)
"""What steers a terminal and says nothing. Whatever else cannot be printed is shown escaped."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One line of it."""

    number: int
    text: str


class Output:
    """`read` gives the bytes that came since the last call."""

    def __init__(self, read: Callable[[], bytes]) -> None:
        self._read = read
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._lines: deque[Printed] = deque(maxlen=_LINES)
        self._open = ""
        """The line that has no end yet."""
        self._ended = 0
        """How many lines have."""

    def poll(self) -> bool:
        """Takes what has come; whether there is anything new."""
        data = self._read()
        *ended, rest = (self._open + self._decode(data)).split("\n")
        for line in ended[-_LINES:]:
            self._lines.append(Printed(self._ended, _shown(line)))
            self._ended += 1
        # Of a line that is written over and over, the last state is all that counts.
        self._open = rest.rpartition("\r")[2][-_LONGEST:] if len(rest) > _LONGEST else rest
        return bool(data)

    @property
    def lines(self) -> Sequence[Printed]:
        """The newest last, with the one that has no end yet."""
        last = _shown(self._open)
        return [*self._lines, Printed(self._ended, last)] if last else list(self._lines)


def _shown(line: str) -> str:
    """As a terminal would show it in the end; a progress bar writes over itself."""
    line = _ESCAPES.sub("", line[-4 * _LONGEST :].rstrip("\r").rpartition("\r")[2])
    return clean(line[:_LONGEST].expandtabs(_TAB)).rstrip()
