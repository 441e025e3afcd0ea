"""The corpus as tests: one per script, each run in a child process under `gradwatch check`.

Run on demand, with CORPUS=1: every fourth script, some minutes on two cores; with CORPUS_WHOLE=1
all of them, as `score.py` does. The suite that must stay under eight minutes leaves it out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from .corpus_header import CORPUS, Entry, entries
from .corpus_judge import Score, judged
from .corpus_run import LIMIT_S, check, ran

ASKED = bool(os.environ.get("CORPUS") or os.environ.get("CORPUS_WHOLE"))
on_demand = pytest.mark.skipif(not ASKED, reason="the corpus is scored on demand: CORPUS=1")

PARALLEL = 2
"""Children at once: importing torch takes one core each."""

STRIDE = 1 if os.environ.get("CORPUS_WHOLE") else 4
CHOSEN = entries()[::STRIDE] if ASKED else []

ITERATIONS = "80"
"""Of each innocent script; `score.py` lets them train longer."""

AWAITED: dict[str, str] = {}
"""Scripts that are not yet answered as they should be: what is missing."""

UNSTEADY = {"guilty/temporal_smoothness": "noticed late at times"}
"""Those whose answer depends on how fast the machine is, or on how long they train."""


class Scores:
    """All scripts, started two at a time and awaited one by one."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._scores = {entry.name: pool.submit(_score, entry) for entry in CHOSEN}

    def __call__(self, entry: Entry) -> Score:
        return self._scores[entry.name].result()


@pytest.fixture(scope="module")
def scores() -> Iterator[Scores]:
    pool = ThreadPoolExecutor(PARALLEL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CORPUS_ITERATIONS", ITERATIONS)
        yield Scores(pool)
        pool.shutdown(cancel_futures=True)


def _score(entry: Entry) -> Score:
    return judged(entry, *ran(entry, check))


def case(entry: Entry) -> object:
    missing = AWAITED.get(entry.name) or UNSTEADY.get(entry.name)
    strict = entry.name in AWAITED
    marks = [pytest.mark.xfail(strict=strict, reason=missing)] if missing else []
    return pytest.param(entry, id=entry.name, marks=marks)


@on_demand
@pytest.mark.timeout(LIMIT_S + 10)
@pytest.mark.parametrize("entry", [case(entry) for entry in CHOSEN])
def test_a_script_is_judged_as_its_header_says(scores: Callable[[Entry], Score], entry: Entry):
    assert scores(entry).misses == ()


def test_the_corpus_is_as_large_as_promised():
    assert len(entries("guilty")) >= 40
    assert len(entries("innocent")) >= 40


def test_a_guilty_script_names_its_culprits():
    assert [entry.name for entry in entries("guilty") if not entry.lines] == []


def test_what_is_awaited_exists():
    for name in (*AWAITED, *UNSTEADY):
        assert (CORPUS / name).is_dir() or (CORPUS / f"{name}.py").is_file()
