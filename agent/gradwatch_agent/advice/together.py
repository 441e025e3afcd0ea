"""What is said of several tensors that are handed on together. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.advice.timing import END, GO_ON, START


def cut_all(suggestions: list[str]) -> str:
    """The same for several tensors that are handed on together."""
    starts = {text.partition("`")[0] for text in suggestions}
    if starts <= {START, GO_ON, END} and len(suggestions) > 1:
        start = next(when for when in (END, GO_ON, START) if when in starts)
        return f"{start}`{_together(text.split('`')[1] for text in suggestions)}`."
    said: dict[tuple[str, ...], list[list[str]]] = {}
    for text in suggestions:
        prose, codes = text.split("`")[::2], text.split("`")[1::2]
        said.setdefault(tuple(prose), []).append(codes)
    return " ".join(_sentence(prose, codes) for prose, codes in said.items())


def cut_alike(suggestion: str, one: str, alike: list[str]) -> str:
    """Said of one element of a container: the same of those beside it that carry as much, each into
    a loss of its own.
    """
    start, code, *_ = (*suggestion.split("`"), "")
    if start not in (START, GO_ON, END) or f"{one}." not in code or len(alike) < 2:
        return suggestion
    every = [code.replace(f"{one}.", f"{each}.") for each in alike]
    said = cut_all([f"{start}`{each}`." for each in every])
    return said if "`for each in" in said or len(alike) <= _FEW else suggestion


def _sentence(prose: tuple[str, ...], several: list[list[str]]) -> str:
    """Said once, with the code of each wherever they differ."""
    codes = [f"`{_together(each)}`" for each in zip(*several, strict=True)]
    return "".join(part for both in zip(prose, [*codes, ""], strict=True) for part in both)


def _together(codes: Iterable[str]) -> str:
    each = _of_each(dict.fromkeys(codes))
    return _between(each).join(each)


def _between(codes: Iterable[str]) -> str:
    """Statements follow one another, loops stand alone; names are listed."""
    alone = all(re.fullmatch(r"[\w.]+", code) for code in codes)
    return "`, `" if alone or any(code.startswith("for ") for code in codes) else "; "


_OF_ONE: Final = re.compile(r"(?P<of>.+)\[(?P<at>\d+|'\w+')\](?P<what>\.[^\[]+) = (.+)\.detach\(\)")

_FEW: Final = 4
"""Elements that are named one by one: others of the same list may have no such attribute."""

MOST: Final = 16
"""Things that are looked at, to be cut together: each layer of a few may have a state of its own.
Of so many there may be more.
"""


def _of_each(codes: Iterable[str]) -> list[str]:
    """The same said of several elements of one list is said once, of each."""
    said: dict[tuple[str, ...], list[str]] = {}
    for code in codes:
        one = _OF_ONE.fullmatch(code)
        is_one = one is not None and code.endswith(f" = {code.partition(' = ')[0]}.detach()")
        key = (one["of"], one["what"]) if one is not None and is_one else (code,)
        said.setdefault(key, []).append(code)
    loops: dict[str, list[str]] = {}
    found = []
    for (of, *what), same in said.items():
        if len(same) < 2:
            found += same
            continue
        ats = [one["at"] for code in same if (one := _OF_ONE.fullmatch(code))]
        every = _every(of, sorted(ats, key=lambda at: (len(at), at)), what[0])
        loops.setdefault(every, []).append(f"each{what[0]} = each{what[0]}.detach()")
    return found + [f"for each in {every}: {'; '.join(each)}" for every, each in loops.items()]


def _every(of: str, ats: list[str], what: str) -> str:
    """Those elements that were seen to carry a graph by that attribute, and no others."""
    if len(ats) <= _FEW:
        return f"({', '.join(f'{of}[{at}]' for at in ats)})"
    if len(ats) < MOST:
        in_a_row = ats == [str(number) for number in range(len(ats))]
        places = f"range({len(ats)})" if in_a_row else f"({', '.join(ats)})"
        return f"({of}[i] for i in {places})"
    whole = of if ats[0].isdigit() else f"{of}.values()"
    return f"(e for e in {whole} if hasattr(e, {what.split('.')[1]!r}))"
