"""Backwards that fail again and again by the same call, where the program goes on.

Owns what was found and told of them: what was found of the last one is good for the next, once
enough time was spent on finding it anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gradwatch_agent.diagnosis.searches import Searches
from gradwatch_agent.lines.sites import Lines
from gradwatch_agent.verdicts import Answer

_MOST: Final = 64
"""Calls and attributes remembered by which backwards failed; a program has one or two."""


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a backward fails."""

    answer: Answer | None
    word: str = ""
    """To be said besides what it is."""
    at_call: bool = True
    """Where nothing better is known, it is told at the call itself."""


class Repeated:
    """Of one training thread."""

    def __init__(self, *, thorough: bool) -> None:
        self._searches = Searches(thorough=thorough)
        self._known: dict[tuple[str, Lines], Explained] = {}
        self._told: dict[str | Lines, Answer] = {}
        """What was told of the calls that failed, and of the attributes they failed for."""

    def explain(self, kind: str, call: Lines, anew: Callable[[], Explained]) -> Explained:
        """Why the backward of that call fails, found anew or known from before."""
        known = self._known.get((kind, call))
        if known is not None and not self._searches.may_be_made:
            return known
        with self._searches.timed():
            found = anew()
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[kind, call] = found
        return found

    def as_before(self, kind: str, answer: Answer, call: Lines, *, noted: bool) -> Answer:
        """What was told when a backward failed for the same attribute, or by the same call where no
        lines are `noted` now: where that was caught, it is met again by ways that tell less.
        """
        if kind != "second-backward":
            return answer
        if len(self._told) >= _MOST:  # elements of a list, each by its own name
            self._told.clear()
        holder = answer.holder or ""
        named: list[str | Lines] = [holder] if "." in holder else []
        asked = named if noted else [*named, call]
        known = next((self._told[key] for key in asked if key in self._told), answer)
        for key in [*named, call]:
            self._told.setdefault(key, known)
        return known
