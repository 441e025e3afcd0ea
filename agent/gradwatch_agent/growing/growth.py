"""What of the program grows, told by comparing looks.

For memory that climbs though no graph explains it. Keeps sizes and names between the looks, never
what it saw.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gradwatch_agent.growing.blocks import is_made_longer, of_block
from gradwatch_agent.growing.containers import of_container
from gradwatch_agent.growing.measuring import Filled, Size, Sizes, Strewn
from gradwatch_agent.growing.strewn import of_strewn
from gradwatch_agent.verdicts.case import Answer

_MOST: Final = 0.8
"""What lies inside another and makes up this share of its growth is the better name."""

_LESS: Final = 0.5
"""So much is left at most where a container is emptied, or what is old in it is thrown out."""

_COUNTS: Final = 0.1
"""Of several elements that grow, one that grows by this share of the most counts."""


class Growth:
    """`look`, and later `answer`."""

    def __init__(self) -> None:
        self._first: dict[str, Size] | None = None
        self._later: dict[str, Size] | None = None
        """The last look but for the first."""
        self._shrunk: set[str] = set()
        """What was seen to have been emptied: it does not grow for ever."""

    @property
    def looked(self) -> bool:
        """Whether there was a first look."""
        return self._first is not None

    def look(self) -> None:
        """The first look: what everything weighs now."""
        self._first = Sizes().look()

    def answer(self) -> Answer:
        """Another look: what grew most since the first, and since the last one too."""
        before, after = self._first or {}, (now := Sizes()).look()
        later, self._later = self._later, after
        self._shrunk |= {
            n for n, size in (later or before).items() if _has_shrunk(size, after.get(n))
        }
        grown = {
            name: size.weight.kept - (before[name].weight.kept if name in before else 0.0)
            for name, size in after.items()
            if later is not None
            and name not in self._shrunk
            and _grew(size, before.get(name))
            and _grew(size, later.get(name))
        }
        grown = {name: more for name, more in grown.items() if _counts(after[name], now)}
        most = max(grown.values(), default=0.0)
        if most <= 0:  # none, or their elements have become lighter
            return Answer(explains_bytes=0.0)
        names = [name for name, growth in grown.items() if growth >= _MOST * most]
        name = max(names, key=lambda name: (after[name].path.steps, grown[name]))
        name = _all_of(name, grown, after)
        answer = _answer_for(after[name], before.get(name), now)
        return replace(answer, explains_bytes=grown[name])


def _grew(now: Size, before: Size | None) -> bool:
    return before is None or now.things > before.things


def _has_shrunk(before: Size, now: Size | None) -> bool:
    return now is not None and now.things < _LESS * before.things


def _counts(size: Size, now: Sizes) -> bool:
    """Whether it is more than another one in the place of the last, which happens to be larger."""
    return isinstance(size, Filled | Strewn) or is_made_longer(size, now.aliases)


def _answer_for(size: Size, before: Size | None, now: Sizes) -> Answer:
    if isinstance(size, Filled):
        return of_container(size, before, now.aliases)
    if isinstance(size, Strewn):
        return of_strewn(size, now.aliases)
    return of_block(size, now.aliases)


def _all_of(name: str, grown: dict[str, float], sizes: dict[str, Size]) -> str:
    """What has it and others that grow; the same name where it is the only one."""
    outers = {each: path.expression for each in grown if (path := sizes[each].path.parent)}
    outer = outers.get(name, "")
    beside = [growth for each, growth in grown.items() if outers.get(each) == outer]
    counts = sum(growth >= _COUNTS * grown[name] for growth in beside)
    return outer if outer in grown and counts > 1 else name
