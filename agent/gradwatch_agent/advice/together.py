"""What is said of several tensors that are handed on together. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.advice.cutting import GO_ON, START


def cut_all(suggestions: list[str]) -> str:
    """The same for several tensors that are handed on together."""
    starts = {text.partition("`")[0] for text in suggestions}
    cut = starts <= {START, GO_ON} and len(suggestions) > 1
    said: dict[tuple[str, str], dict[str, None]] = {}
    for text in suggestions:
        start, _, after = text.partition("`")
        code, _, rest = after.partition("`")
        around = (START if starts == {START} else GO_ON, ".") if cut else (start, rest)
        said.setdefault(around, {})[code] = None
    return " ".join(
        f"{start}`{_between(each).join(each)}`{rest}" if any(each) else start
        for (start, rest), codes in said.items()
        for each in [_of_each(codes)]
    )


def _between(codes: Iterable[str]) -> str:
    """Statements follow one another, loops stand alone; names are listed."""
    alone = all(re.fullmatch(r"[\w.]+", code) for code in codes)
    return "`, `" if alone or any(code.startswith("for ") for code in codes) else "; "


_OF_ONE: Final = re.compile(r"(?P<of>.+)\[(?P<at>\d+)\](?P<what>\.[^\[]+) = (.+)\.detach\(\)")

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
        ats = sorted(int(one["at"]) for code in same if (one := _OF_ONE.fullmatch(code)))
        every = f"({', '.join(f'{of}[{at}]' for at in ats)})" if len(ats) <= _FEW else of
        loops.setdefault(every, []).append(f"each{what[0]} = each{what[0]}.detach()")
    return found + [f"for each in {every}: {'; '.join(each)}" for every, each in loops.items()]
