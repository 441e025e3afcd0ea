"""Tries on each guilty script of the corpus the change that was suggested for it.

    python tests/scenarios/cure.py [--only PATTERN] [--kind KIND] [-j N] [-v]

The script is copied, the suggested code put where the finding has it (in place of the statement,
or before or after it where it is one of its own), and the copy watched to its end. Cured is what
ends with no finding of warning or above; advice without code is counted apart.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import dataclasses
import fnmatch
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from corpus_header import CORPUS, Entry, entries
from corpus_judge import Finding
from corpus_run import Way, forked, ran

sys.path.insert(0, str(Path(__file__).parents[1]))

from nursery import Nursery

_ELSEWHERE = re.compile(r"In line (\d+)(?: of (\S+))?,")
_QUOTED = re.compile(r"([^`]*)`([^`]+)`")
_OLD = 1_000_000_000
"""When the copies were written, in seconds: the agent reads no source newer than the process."""


@dataclasses.dataclass(frozen=True)
class Change:
    """Lines of a file, the first and the last of them, and what stands there now."""

    file: Path
    first: int
    last: int
    indent: int
    code: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="*", help="names, as in 'guilty/*hook*'")
    parser.add_argument("--kind", default="*", help="of fault, as graph-chain")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="of another place")
    parser.add_argument("-j", type=int, default=2, help="scripts at once")
    parser.add_argument("-v", action="store_true", help="show what was suggested, cured or not")
    arguments = parser.parse_args()
    chosen = [
        e
        for e in entries("guilty*", arguments.corpus.resolve())
        if fnmatch.fnmatch(e.name, arguments.only) and fnmatch.fnmatch(e.kind, arguments.kind)
    ]
    counts: dict[str, Counter[str]] = {}
    nursery = Nursery()
    with contextlib.closing(nursery), ThreadPoolExecutor(arguments.j) as pool:
        way = forked(nursery, thorough=True)
        for entry, (outcome, told) in zip(
            chosen, pool.map(lambda e: _tried(e, way), chosen), strict=True
        ):
            counts.setdefault(entry.kind, Counter())[outcome] += 1
            if outcome not in {"cured", "words"} or arguments.v:
                print(f"{entry.name} ({entry.kind}): {outcome}: {told}\n", flush=True)
    for kind, outcomes in sorted(counts.items()):
        print(f"{kind}: {outcomes.total()} scripts, {dict(outcomes)}")
    return int(any(o.keys() - {"cured", "words"} for o in counts.values()))


def _tried(entry: Entry, way: Way) -> tuple[str, str]:
    """What came of it, and the advice."""
    findings, said = ran(entry, way)
    found = next((f for f in findings or () if f["kind"] == entry.kind), None)
    if found is None:
        return "not found", said[-200:]
    place = f"{Path(found['file'] or '').name}:{found['line']}"
    told = f"{place} `{found['code']}` | {found['suggestion']}"
    left = ""
    changes = list(_changes(found))
    ways = [[each] for each in changes]
    if len({each.first for each in changes}) == len(changes) > 1:
        ways.insert(0, changes)
    for change in ways:
        left = _left(entry, change, way)
        if not left:
            return "cured", told
    return ("not cured", f"{told} | {left}") if left else ("words", told)


def _changes(found: Finding) -> Iterator[Change]:
    """All ways to put in what is suggested, the likeliest first."""
    if found["file"] is None:
        return
    file, line = Path(found["file"]), found["line"]
    if elsewhere := _ELSEWHERE.match(found["suggestion"] or ""):
        line = int(elsewhere[1])
        if elsewhere[2]:
            file = next(p for p in _root(file).rglob(elsewhere[2]))
    before = ""
    for say, code in _QUOTED.findall(found["suggestion"] or ""):
        yield from _change(file, line, say.strip(), before, code)
        before = code


def _root(file: Path) -> Path:
    return file.parent.parent if (file.parent / "__init__.py").exists() else file.parent


def _change(file: Path, line: int, say: str, before: str, code: str) -> Iterator[Change]:
    try:
        parsed = ast.parse(f"{code} pass" if code.endswith(":") else code).body[0]
    except SyntaxError:
        return
    statement = _statement(file, line)
    same = [each for each in _statements(file) if _target(each) == _target(parsed)]
    if _target(statement) != _target(parsed) and len(same) == 1 and not _is_cut(parsed):
        statement = same[0]
    backward = re.fullmatch(r"(.+)\.backward\(retain_graph=True\)", code)
    if backward:
        for other in {file, *_root(file).rglob("*.py")} if file.name != "" else ():
            for each in _statements(other):
                if ast.unparse(each).startswith(f"{backward[1]}.backward("):
                    yield _instead(other, each, code)
    elif say.endswith(("stands:", "where")):
        for each in _statements(file):
            if ast.unparse(each) == before:
                yield _after(file, each, code)
    elif isinstance(parsed, ast.Expr) and not isinstance(parsed.value, ast.Call):
        return  # a name
    elif say.endswith((":", "or", ",")):
        if _target(parsed) == _target(statement) and not _is_cut(parsed):
            yield _instead(file, statement, code)
        else:
            yield _before(file, statement, code)
            yield _after(file, statement, code)


def _instead(file: Path, statement: ast.stmt, code: str) -> Change:
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    last = max(last, statement.lineno)
    return Change(file, statement.lineno, last, statement.col_offset, code)


def _before(file: Path, statement: ast.stmt, code: str) -> Change:
    return Change(file, statement.lineno, statement.lineno - 1, statement.col_offset, code)


def _after(file: Path, statement: ast.stmt, code: str) -> Change:
    last = statement.end_lineno or statement.lineno
    return Change(file, last + 1, last, statement.col_offset, code)


def _is_cut(statement: ast.stmt) -> bool:
    """`h = h.detach()`, a statement of its own."""
    match statement:
        case ast.Assign(targets=[target], value=value):
            text, name = ast.unparse(value), ast.unparse(target)
            return text in ("None", f"{name}.detach()") or any(
                sign in text for sign in (f" in {name}", f"replace({name}", f"{name}._replace(")
            )
    return False


def _target(statement: ast.stmt) -> str:
    match statement:
        case (
            ast.Assign(targets=[target])
            | ast.AugAssign(target=target)
            | ast.AnnAssign(target=target)
        ):
            return (
                f"{type(statement).__name__.replace('AnnAssign', 'Assign')} {ast.unparse(target)}"
            )
        case ast.Expr(value=ast.Call(func=func)):
            return f"call {ast.unparse(func)}"
        case ast.Return():
            return "return"
    return type(statement).__name__


def _statements(file: Path) -> list[ast.stmt]:
    return [n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.stmt)]


def _statement(file: Path, line: int) -> ast.stmt:
    around = [s for s in _statements(file) if s.lineno <= line <= (s.end_lineno or s.lineno)]
    inner = max(around, key=lambda s: (s.lineno, s.col_offset), default=None)
    return inner or _statement(file, line + 1)  # a decorator


def _left(entry: Entry, changes: list[Change], way: Way) -> str:
    """What is found in the changed copy; empty if nothing."""
    whole = entry.command[0] == "-m" or Path(entry.command[0]).name == "main.py"
    root = entry.folder / entry.command[1] if entry.command[0] == "-m" else Path(entry.command[0])
    root = root.parent if whole and entry.command[0] != "-m" else root
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / root.name
        if whole:
            shutil.copytree(root, copy)
        else:
            shutil.copy(root, copy)
        for change in sorted(changes, key=lambda each: -each.first):
            _write(copy / change.file.relative_to(root) if whole else copy, change)
        for each in copy.rglob("*.py") if whole else (copy,):
            os.utime(each, (_OLD, _OLD))
        command = (
            entry.command
            if entry.command[0] == "-m"
            else (str(copy / "main.py" if whole else copy),)
        )
        base = Path(folder) if entry.command[0] == "-m" or not whole else copy
        findings, said = ran(dataclasses.replace(entry, command=command, folder=base), way)
    if findings is None:
        return said[-200:]
    bad = [f for f in findings if f["level"] != "info" or f["kind"] == entry.kind]
    return "; ".join(f"{f['kind']} {f['message']}"[:160] for f in bad)


def _write(file: Path, change: Change) -> None:
    lines = file.read_text().splitlines()
    lines[change.first - 1 : change.last] = [f"{' ' * change.indent}{change.code}"]
    file.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
