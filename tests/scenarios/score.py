"""Scores the detectors on the corpus.

    python tests/scenarios/score.py [--live] [--fork] [--only PATTERN] [--kind KIND] [-j N] [-v]

Prints every miss as it comes, then one row per kind; exits 1 if there was any. A fork for each
script spares the three seconds in which torch is imported, and is no fresh interpreter; live means
not under `check` but as everyone runs a job, where much is only counted and some is noticed late.
"""

from __future__ import annotations

import argparse
import fnmatch
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from corpus_header import CORPUS, entries
from corpus_judge import Score, judged
from corpus_run import Way, check, forked, live, ran

sys.path.insert(0, str(Path(__file__).parents[1]))

from nursery import Nursery

_COLUMNS = (
    "kind", "scripts", "found", "extra", "line right/wrong/null", "holder right/wrong/null",
    "iterations to notice, median/max",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="names, as in 'guilty/*hook*'")
    parser.add_argument("--kind", default="*", help="of fault, as graph-chain; none: innocent")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="of another place")
    parser.add_argument("--live", action="store_true", help="with the one line, not `check`")
    parser.add_argument("--fork", action="store_true", help="from a process that has torch")
    parser.add_argument("-j", type=int, default=2, help="scripts at once")
    parser.add_argument("-v", action="store_true", help="show what was found, right or not")
    arguments = parser.parse_args()
    named = [
        e
        for e in entries(corpus=arguments.corpus.resolve())
        if fnmatch.fnmatch(e.name, arguments.only)
    ]
    chosen = [e for e in named if fnmatch.fnmatch(e.kind, arguments.kind)]
    with _way(arguments) as way, ThreadPoolExecutor(arguments.j) as pool:
        judgements = pool.map(lambda entry: judged(entry, *ran(entry, way)), chosen)
        scores = [_told(score) for score in judgements]
    _show(scores)
    if arguments.v:
        print("\n".join(f"\n{score.entry.name}: {score.told}" for score in scores))
    return int(any(score.misses for score in scores))


@contextmanager
def _way(arguments: argparse.Namespace) -> Iterator[Way]:
    if not arguments.fork:
        yield live if arguments.live else check
        return
    nursery = Nursery()
    try:
        yield forked(nursery, thorough=not arguments.live)
    finally:
        nursery.close()


def _told(score: Score) -> Score:
    for miss in score.misses:
        print(f"{score.entry.name} ({score.entry.kind}): {miss}\n", flush=True)
    return score


def _show(scores: Sequence[Score]) -> None:
    kinds = sorted({score.entry.kind for score in scores}, key=lambda k: (k == "none", k))
    rows = [_COLUMNS, *(_row(k, [s for s in scores if s.entry.kind == k]) for k in kinds)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))


def _row(kind: str, scores: Sequence[Score]) -> tuple[str, ...]:
    after = [score.after for score in scores if score.after is not None]
    noticed = f"{statistics.median(after):g}/{max(after)}" if after else "-"
    return (
        kind if kind != "none" else "none (innocent)",
        str(len(scores)),
        str(sum(score.found for score in scores)),
        str(sum(bool(score.extra) for score in scores)),
        _tally(score.line for score in scores),
        _tally(score.holder for score in scores),
        noticed,
    )


def _tally(verdicts: Iterable[str]) -> str:
    count = Counter(verdicts)
    return "/".join(str(count[v]) for v in ("right", "wrong", "null"))


if __name__ == "__main__":
    sys.exit(main())
