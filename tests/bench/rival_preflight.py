"""What torch-preflight, which reads source and runs nothing, says of the corpus.

Recipe: `python -m venv /tmp/rival && /tmp/rival/bin/pip install torch-preflight`, then
`python tests/bench/rival_preflight.py --tool /tmp/rival/bin/torch-preflight [-v]`.

A script counts as found if a rule that fits its fault speaks anywhere in it, at warning or above;
as right if it does so on a line marked as the culprit. A false alarm is anything at warning or
above on an innocent script; those of the rules about graphs and gradients are counted apart.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SCENARIOS = Path(__file__).parents[1] / "scenarios"
sys.path.insert(0, str(SCENARIOS))

from corpus_header import CORPUS, Entry, entries  # noqa: E402  - the path comes first

RETENTION, NO_GRAD, ZERO_GRAD = "TG001", "TG002", "TG003"
"""Tensor stored with its graph; evaluation without no_grad; backward without zero_grad."""

FITTING = {
    "graph-chain": {RETENTION},
    "graph-held": {RETENTION, NO_GRAD},
    "second-backward": {RETENTION},
    "inplace-modified": {RETENTION},
    "retain-needless": {RETENTION},
    "graph-unused": {NO_GRAD},
    "grads-accumulate": {ZERO_GRAD},
    "memory-climb": {RETENTION},
}
"""Generously: a rule that leads to the fault, even if it calls it something else."""

ABOUT_GRAPHS = {RETENTION, NO_GRAD, ZERO_GRAD}
GRAVE = {"warning", "error"}

COLUMNS = ("kind", "scripts", "found", "on the culprit's line", "about graphs", "other alarms")


@dataclass(frozen=True)
class Said:
    """One diagnostic."""

    rule: str
    severity: str
    path: Path
    line: int
    message: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", default="torch-preflight", help="where it is installed")
    parser.add_argument("-v", action="store_true", help="show what it says, script by script")
    arguments = parser.parse_args()
    corpus = entries()
    said = _check(arguments.tool)
    by_kind: dict[str, list[tuple[Entry, list[Said]]]] = defaultdict(list)
    for entry in corpus:
        by_kind[entry.kind].append((entry, [s for s in said if _is_of(s.path, entry)]))
    guilty = sorted(kind for kind in by_kind if kind != "none")
    rows = [COLUMNS, *(_row(kind, by_kind[kind]) for kind in [*guilty, "none"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print(" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
    if arguments.v:
        for kind in [*guilty, "none"]:
            _tell(by_kind[kind])


def _check(tool: str) -> list[Said]:
    """Everything it says at warning or above, over both halves."""
    done = subprocess.run(
        [tool, "check", "-f", "json", str(CORPUS)], capture_output=True, text=True, check=False
    )
    if not done.stdout.startswith("{"):
        raise SystemExit(f"{tool} did not answer: {done.stderr.strip()}")
    found = [
        Said(d["code"], d["severity"], _absolute(d["path"]), d["line"], d["message"])
        for d in json.loads(done.stdout)["diagnostics"]
    ]
    return [said for said in found if said.severity in GRAVE]


def _absolute(path: str) -> Path:
    return Path(path).resolve()


def _is_of(path: Path, entry: Entry) -> bool:
    """Whether the file belongs to the script: is it, or lies in its folder."""
    main = entry.folder / entry.command[-1]
    if main.suffix == ".py" and main.name != "main.py":
        return path == main
    return (CORPUS / path.relative_to(CORPUS).parts[0] / entry.name) in path.parents


def _row(kind: str, scripts: Sequence[tuple[Entry, list[Said]]]) -> tuple[str, ...]:
    fitting = FITTING.get(kind, set())
    found = sum(any(s.rule in fitting for s in said) for _, said in scripts)
    right = sum(
        any(s.rule in fitting and (s.path, s.line) in entry.lines for s in said)
        for entry, said in scripts
    )
    graphs = sum(any(s.rule in ABOUT_GRAPHS - fitting for s in said) for _, said in scripts)
    other = sum(any(s.rule not in ABOUT_GRAPHS for s in said) for _, said in scripts)
    count = str(len(scripts))
    if kind == "none":
        return ("none (innocent)", count, "-", "-", str(graphs), str(other))
    return (kind, count, str(found), str(right), str(graphs), str(other))


def _tell(scripts: Iterable[tuple[Entry, list[Said]]]) -> None:
    for entry, said in scripts:
        for s in said:
            print(
                f"{entry.kind}  {s.path.relative_to(CORPUS)}:{s.line}  {s.rule}  {s.message[:90]}"
            )


if __name__ == "__main__":
    main()
