"""Every fault is put at the statement to change, and what is suggested is tried on it."""

from __future__ import annotations

import inspect
import pkgutil
import re

import pytest

from . import leaks
from .cases import changed, marked, name_of, places, told, unload

LEAKS = places(leaks, lambda function: " | " in (function.__doc__ or ""))


def expected(function) -> tuple[str, str, str]:
    kind, holder, cure = function.__doc__.split(" | ")
    return kind, holder, cure


def cured(leak, finding, cure: str):
    """The job with the suggested code in it, as a function of the same module."""
    lines, first = inspect.getsourcelines(leak)
    code = re.search(r"`([^`]+)`", finding.suggestion)[1]
    assert not re.fullmatch(r"[\w.]+", code), finding.suggestion  # a name is no cure
    at = finding.line - first
    indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
    lines[at : at + 1] = [f"{indent}{code}\n", *([lines[at]] if cure == "before" else [])]
    for number, other in re.findall(r"In line (\d+), too: `([^`]+)`", finding.suggestion):
        line = lines[int(number) - first]
        lines[int(number) - first] = f"{line[: len(line) - len(line.lstrip())]}{other}\n"
    return changed(leak, lines)


@pytest.mark.parametrize("place", LEAKS, ids=name_of)
def test_the_statement_the_holder_and_the_cure(watching, monkeypatch, place):
    leak = pkgutil.resolve_name(place)
    unload(leaks, monkeypatch, but=leak.__module__)
    kind, holder, cure = expected(leak)
    found = told(watching, leak).get(kind)
    assert found is not None
    at = (found.file, found.line)
    assert at in marked(leak), (*at, found.code, found.message)
    assert holder in ("-", found.holder)
    assert found.suggestion
    if cure != "words":
        with watching() as said:
            cured(leak, found, cure)()
        assert {f.kind for f in said.findings} & {kind, "crashed", "graph-chain"} == set()
