"""What is said of several tensors that are handed on together. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.advice.cutting import GO_ON, START


def cut_all(suggestions: list[str]) -> str:
    """The same for several tensors that are handed on together."""
    starts = {text.partition("`")[0] for text in suggestions}
    if starts <= {START, GO_ON} and len(suggestions) > 1:
        start = START if starts == {START} else GO_ON
        return f"{start}`{_together(text.split('`')[1] for text in suggestions)}`."
    said: dict[tuple[str, ...], list[list[str]]] = {}
    for text in suggestions:
        prose, codes = text.split("`")[::2], text.split("`")[1::2]
        said.setdefault(tuple(prose), []).append(codes)
    return " ".join(_sentence(prose, codes) for prose, codes in said.items())


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
"""Elements of one list that are named one by one: the others may have no such attribute."""


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
        ats.sort(key=lambda at: (len(at), at))
        every = of if ats[0].isdigit() else f"{of}.values()"
        if len(ats) <= _FEW:
            every = f"({', '.join(f'{of}[{at}]' for at in ats)})"
        loops.setdefault(every, []).append(f"each{what[0]} = each{what[0]}.detach()")
    return found + [f"for each in {every}: {'; '.join(each)}" for every, each in loops.items()]
