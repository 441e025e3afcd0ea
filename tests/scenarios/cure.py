"""Tries on each guilty script of the corpus the change that was suggested for it.

    python tests/scenarios/cure.py [--only PATTERN] [--kind KIND] [-j N] [-v]

The script is copied, the suggested code put in where it belongs, and the copy watched to its end.
Cured is what ends so with no finding of warning or above, nor of the same kind; advice that can be
put in by a person alone is counted apart, as words.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import fnmatch
import os
import shutil
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corpus_header import CORPUS, Entry, entries
from corpus_run import Way, forked, ran
from cure_change import Change, changes

sys.path.insert(0, str(Path(__file__).parents[1]))

from nursery import Nursery

_OLD = 1_000_000_000
"""When the copies were written, in seconds: the agent reads no source newer than the process."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="names, as in 'guilty/*hook*'")
    parser.add_argument("--kind", default="*", help="of fault, as graph-chain")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="of another place")
    parser.add_argument("-j", type=int, default=2, help="scripts at once")
    parser.add_argument("-v", action="store_true", help="show what was suggested, cured or not")
    arguments = parser.parse_args()
    chosen = [
        each
        for each in entries("guilty*", arguments.corpus.resolve())
        if fnmatch.fnmatch(each.name, arguments.only) and fnmatch.fnmatch(each.kind, arguments.kind)
    ]
    counts: dict[str, Counter[str]] = {}
    with contextlib.closing(Nursery()) as nursery, ThreadPoolExecutor(arguments.j) as pool:
        way = forked(nursery, thorough=True)
        tried = pool.map(lambda entry: _tried(entry, way), chosen)
        for entry, (outcome, told) in zip(chosen, tried, strict=True):
            counts.setdefault(entry.kind, Counter())[outcome] += 1
            if outcome not in {"cured", "words"} or arguments.v:
                print(f"{entry.name} ({entry.kind}): {outcome}: {told}\n", flush=True)
    for kind, outcomes in sorted(counts.items()):
        print(f"{kind}: {outcomes.total()} scripts, {dict(outcomes)}")
    return int(any(outcomes.keys() - {"cured", "words"} for outcomes in counts.values()))


def _tried(entry: Entry, way: Way) -> tuple[str, str]:
    """What came of it, and the advice."""
    findings, said = ran(entry, way)
    found = next((each for each in findings or () if each["kind"] == entry.kind), None)
    if found is None:
        return "not found", said[-200:]
    place = f"{Path(found['file'] or '').name}:{found['line']}"
    told = f"{place} `{found['code']}` | {found['suggestion']}"
    root, left = _root(entry), ""
    files = [root] if root.is_file() else sorted(root.rglob("*.py"))
    for together in changes(found, files):
        left = _left(entry, together, way)
        if not left:
            return "cured", told
    return ("not cured", f"{told} | {left}") if left else ("words", told)


def _root(entry: Entry) -> Path:
    """The script, or the folder that is one."""
    if entry.command[0] == "-m":
        return entry.folder / entry.command[1]
    script = Path(entry.command[0])
    return script.parent if script.name == "main.py" else script


def _left(entry: Entry, together: list[Change], way: Way) -> str:
    """What is found in the changed copy; empty if nothing."""
    root, module = _root(entry), entry.command[0] == "-m"
    whole = root.is_dir()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        (shutil.copytree if whole else shutil.copy)(root, copy)
        for change in sorted(together, key=lambda each: -each.first):
            change.write(copy / change.file.relative_to(root) if whole else copy)
        for each in copy.rglob("*.py") if whole else (copy,):
            os.utime(each, (_OLD, _OLD))
        command = entry.command if module else (str(copy / "main.py" if whole else copy),)
        at = copy if whole and not module else Path(folder)
        findings, said = ran(dataclasses.replace(entry, command=command, folder=at), way)
    if findings is None:
        return said[-200:]
    bad = [each for each in findings if each["level"] != "info" or each["kind"] == entry.kind]
    return "; ".join(f"{each['kind']} {each['message']}"[:160] for each in bad)


if __name__ == "__main__":
    sys.exit(main())
