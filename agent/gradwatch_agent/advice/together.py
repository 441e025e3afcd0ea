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
        f"{start}`{_between(codes).join(_of_each(codes))}`{rest}" if any(codes) else start
        for (start, rest), codes in said.items()
    )


def _between(codes: Iterable[str]) -> str:
    """Statements follow one another; names are listed."""
    return "`, `" if all(re.fullmatch(r"[\w.]+", code) for code in codes) else "; "


_OF_ONE: Final = re.compile(r"(?P<of>.+)\[(?P<at>\d+)\](?P<what>\.[^\[]+) = (.+)\.detach\(\)")


def _of_each(codes: Iterable[str]) -> list[str]:
    """The same said of several elements of one list is said once, of each."""
    said: dict[tuple[str, str], list[str]] = {}
    for code in codes:
        one = _OF_ONE.fullmatch(code)
        is_one = one is not None and code.endswith(f" = {code.partition(' = ')[0]}.detach()")
        key = (one["of"], one["what"]) if one is not None and is_one else (code, "")
        said.setdefault(key, []).append(code)
    return [
        f"for each in {of}: each{what} = each{what}.detach()" if len(same) > 1 else same[0]
        for (of, what), same in said.items()
    ]
