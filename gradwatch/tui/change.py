"""The suggested change as before and after.

Owns the reading of a suggestion: which of its quoted words replaces the statement that is at
fault, and which is to be added. Must not know how it is shown. Pure: nothing is parsed as code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from gradwatch_agent.wire import Finding

_QUOTED: Final = re.compile(r"([^`]*)`([^`]+)`(.*)", re.DOTALL)
_STORE: Final = re.compile(r"([^=(]+?)\s*([-+*/|@]?=)(?!=)\s*(.+)", re.DOTALL)
_CALL: Final = re.compile(r"([^=()]+)\(.*\)\s*", re.DOTALL)
_LONGEST: Final = 1_000
"""Characters of a suggestion that is read; a longer one is shown as it is."""


@dataclass(frozen=True, slots=True)
class Change:
    """A suggestion in parts. Without `after` it is all in `say`."""

    say: str
    before: str = ""
    """The statement to be replaced; empty if `after` is to be added."""
    after: str = ""
    also: str = ""
    """What else would do."""


def change_of(finding: Finding) -> Change:
    """How the finding's suggestion reads as a change of its statement."""
    suggestion, code = finding.suggestion or "", finding.code or ""
    found = _QUOTED.fullmatch(suggestion) if len(suggestion) <= _LONGEST else None
    if found is None:
        return Change(suggestion)
    say, statement, also = found[1].strip(), found[2].strip(), found[3].strip(" ;,.")
    # A quoted word in the midst of a sentence is a name, no statement.
    if say and not say.endswith(":"):
        return Change(suggestion)
    also = f"{also[0].upper()}{also[1:]}." if also else ""
    if _detaches_itself(statement):
        return Change(say, after=statement, also=also)
    if code and _target(code) is not None and _target(code) == _target(statement):
        return Change(say, before=code, after=statement, also=also)
    if statement.endswith("()") and _target(statement) == (statement[:-2], "call"):
        return Change(say, after=statement, also=also)  # a method that is there already
    return Change(suggestion)


def _detaches_itself(statement: str) -> bool:
    """Whether it only cuts a name off its past, as a statement of its own does."""
    stored = _STORE.fullmatch(statement)
    if stored is None or stored[2] != "=":
        return False
    name, value = stored[1], stored[3]
    return value == f"{name}.detach()" or value.endswith(f".detach() for t in {name})")


def _target(statement: str) -> tuple[str, str] | None:
    """What a statement stores into or calls, and how."""
    if stored := _STORE.fullmatch(statement):
        return "".join(stored[1].split()), stored[2]
    if called := _CALL.fullmatch(statement):
        return "".join(called[1].split()), "call"
    return None
