"""Scores the detectors on the corpus.

    python tests/scenarios/score.py [--only PATTERN] [--kind KIND] [-j N] [-v]

Prints every miss as it comes, then one row per kind; exits 1 if there was any.
"""

from __future__ import annotations

import argparse
import fnmatch
import statistics
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from corpus_header import entries
from corpus_run import Score, scored

_COLUMNS = (
    "kind", "scripts", "found", "extra", "line right/wrong/null", "holder right/wrong/null",
    "iterations to notice, median/max",
)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="names, as in 'guilty/*hook*'")
    parser.add_argument("--kind", default="*", help="of fault, as graph-chain; none: innocent")
    parser.add_argument("-j", type=int, default=2, help="scripts at once")
    parser.add_argument("-v", action="store_true", help="show what was found, right or not")
    arguments = parser.parse_args()
    named = [e for e in entries() if fnmatch.fnmatch(e.name, arguments.only)]
    chosen = [e for e in named if fnmatch.fnmatch(e.kind, arguments.kind)]
    with ThreadPoolExecutor(arguments.j) as pool:
        scores = [_told(score) for score in pool.map(scored, chosen)]
    _show(scores)
    if arguments.v:
        print("\n".join(f"\n{score.entry.name}: {score.told}" for score in scores))
    return int(any(score.misses for score in scores))


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
