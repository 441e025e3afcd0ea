"""A backward on what has no graph is told where that was cut."""

from __future__ import annotations

import inspect
import re

import pytest

from . import severed

LINES = inspect.getsource(severed).splitlines()
JOBS = [
    name
    for name, function in inspect.getmembers(severed, inspect.isfunction)
    if function.__module__ == severed.__name__
    and name != "data"
    and not inspect.signature(function).parameters
]


def marked(job) -> set[int]:
    """The lines with a mark in the job itself; else those with its name for a mark."""
    lines, first = inspect.getsourcelines(job)
    own = {first + n for n, line in enumerate(lines) if line.endswith("# <-\n")}
    return own or {n for n, line in enumerate(LINES, 1) if line.endswith(f"# <- {job.__name__}")}


@pytest.mark.parametrize("name", JOBS)
def test_it_is_told_at_what_cuts(watching, name):
    job = getattr(severed, name)
    with watching(), pytest.raises(RuntimeError, match="not require grad") as caught:
        job()
    [note] = caught.value.__notes__
    assert int(re.search(r"severed\.py:(\d+)", note)[1]) in marked(job), note
    assert "change: " in note
