"""Where a suggested change goes in a script: each way to put it in, the likeliest first.

Owns the reading of a suggestion as code; must not know whether it helped.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus_judge import Finding

_ELSEWHERE = re.compile(r"In line (\d+)(?: of (\S+))?,")
_TOO = re.compile(r" In line (\d+), too: $")
_QUOTED = re.compile(r"([^`]*)`([^`]+)`")
_INSTEAD = re.compile(r"in place:|Change a copy|under no_grad")
_OTHER = re.compile(r" For `[^`]+`, in line (\d+)(?: of (\S+))?: ")
_KEEPING = re.compile(r"(.+)\.backward\(retain_graph=True\)")


@dataclass(frozen=True)
class Change:
    """Lines of a file, the first and the last of them, and what is to stand there."""

    file: Path
    first: int
    last: int
    indent: int
    code: str

    def write(self, file: Path) -> None:
        """Into a copy of the file."""
        lines = file.read_text().splitlines()
        lines[self.first - 1 : self.last] = [f"{' ' * self.indent}{self.code}"]
        file.write_text("\n".join(lines) + "\n")


def changes(found: Finding, files: list[Path]) -> list[list[Change]]:
    """Of what a finding suggests, each to be tried by itself; `files`: the script's."""
    if found["file"] is None:
        return []
    file, line, said = Path(found["file"]), found["line"], found["suggestion"] or ""
    said, *others = _OTHER.split(said)
    ways = _ways(file, line, said, files)
    for place, name, also in zip(*[iter(others)] * 3, strict=True):
        there = next((f for f in files if f.name == name), file)
        more = _ways(there, int(place), also, files)
        ways = [[*way, *more[0]] for way in ways] if more else []
    return ways


def _ways(file: Path, line: int, said: str, files: list[Path]) -> list[list[Change]]:
    """Of one sentence about one line."""
    if elsewhere := _ELSEWHERE.match(said):
        line = int(elsewhere[1])
        file = next((f for f in files if f.name == elsewhere[2]), file)
    before, single = "", []
    for say, code in _QUOTED.findall(said):
        if too := _TOO.search(say):
            single.append(_instead(file, _statement(file, int(too[1])), code))
            continue
        single += _of(code, say.strip(), before, _statement(file, line), file, files)
        before = code
    ways = [[each] for each in single]
    together = len({(each.file, each.first) for each in single}) == len(single) > 1
    return [single, *ways] if together else ways


def _of(
    code: str, say: str, before: str, statement: ast.stmt, file: Path, files: list[Path]
) -> Iterator[Change]:
    """The ways to put in one piece of code; `say` stands ahead of it, `before` is the last one."""
    try:
        parsed = ast.parse(f"{code} pass" if code.endswith(":") else code).body[0]
    except SyntaxError:
        return
    if keeping := _KEEPING.fullmatch(code):
        for other, each in _all(files):
            if ast.unparse(each).startswith(f"{keeping[1]}.backward("):
                yield _instead(other, each, code)
    elif say.endswith(("stands:", "where")):
        yield from (_after(file, s, code) for s in _statements(file) if ast.unparse(s) == before)
    elif not say.endswith((":", "or", ",")) or _is_name(parsed):
        return
    elif _INSTEAD.search(say):
        yield _instead(file, statement, code)
    elif _is_cut(parsed) or _target(parsed) not in {*map(_target, _statements(file))}:
        yield _before(file, statement, code)
        yield _after(file, statement, code)
        yield from (_after(other, each, code) for other, each in _all(files) if _trains(each))
        heads = (
            (other, each) for other, each in _all(files) if isinstance(each, ast.For | ast.While)
        )
        yield from (_before(other, each.body[0], code) for other, each in heads)
    else:
        same = [each for each in _statements(file) if _target(each) == _target(parsed)]
        at = same[0] if len(same) == 1 else statement
        yield _instead(file, statement if statement in same else at, code)


def _instead(file: Path, statement: ast.stmt, code: str) -> Change:
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    first = statement.lineno
    return Change(file, first, max(last, first), statement.col_offset, code)


def _before(file: Path, statement: ast.stmt, code: str) -> Change:
    return Change(file, statement.lineno, statement.lineno - 1, statement.col_offset, code)


def _after(file: Path, statement: ast.stmt, code: str) -> Change:
    last = statement.end_lineno or statement.lineno
    return Change(file, last + 1, last, statement.col_offset, code)


def _is_name(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Call)


def _is_cut(statement: ast.stmt) -> bool:
    """`h = h.detach()` and the like: a statement of its own, which replaces none."""
    match statement:
        case ast.Assign(targets=[target], value=value):
            text, name = ast.unparse(value), ast.unparse(target)
            cut = f"{name}.detach()"
            return text in ("None", cut, f"{cut}.requires_grad_()") or any(
                sign in text for sign in (f" in {name}", f"replace({name}", f"{name}._replace(")
            )
    return False


def _trains(statement: ast.stmt) -> bool:
    """Whether what is to come "once backward is done" may go after it."""
    said = ast.unparse(statement)
    return not hasattr(statement, "body") and bool(re.search(r"\.(backward|step)\(|train", said))


def _target(statement: ast.stmt) -> str:
    """What a statement is about: one that replaces it is about the same."""
    match statement:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return f"store {ast.unparse(target)}"
        case ast.AugAssign(target=target):
            return f"store {ast.unparse(target)}"
        case ast.Expr(value=ast.Call(func=func)):
            return f"call {ast.unparse(func)}"
    return type(statement).__name__


def _all(files: list[Path]) -> Iterator[tuple[Path, ast.stmt]]:
    return ((file, each) for file in files for each in _statements(file))


def _statements(file: Path) -> list[ast.stmt]:
    every = [n for n in ast.walk(ast.parse(file.read_text())) if isinstance(n, ast.stmt)]
    return sorted(every, key=lambda each: (each.lineno, each.col_offset))


def _statement(file: Path, line: int) -> ast.stmt:
    """The innermost one of the line; below a decorator the next."""
    around = [s for s in _statements(file) if s.lineno <= line <= (s.end_lineno or s.lineno)]
    return around[-1] if around else _statement(file, line + 1)
