"""What a script of the corpus says about itself, in comments that Python does not see.

    # gradwatch-corpus: kind=graph-held
    # holder: self.history["loss"] | trainer.history["loss"]
    # first-bad: 1
    # notice: 8
    # also: retain-needless

and `# <- culprit` behind each statement that an expert might name as the one to change, in the
script or in a module beside it. `kind=none` says that nothing is wrong; the other lines are then
absent. A script is a file, or a folder with `main.py` (run by its path) or with `__main__.py`
(run with -m). A line may be repeated to say more of the same.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")

_START = "# gradwatch-corpus: kind="
_MARK = "# <- culprit"

_NOTICE = {"graph-chain": 5, "graph-held": 8, "second-backward": 0, "inplace-modified": 0}
_NOTICE_OTHERS = 60
"""Iterations between the first bad one and the finding that are allowed if nothing else is said."""

_SEEN_FIRST = {"graph-chain": 1, "graph-held": 1}
"""An old graph can be met in the second iteration at the earliest."""


@dataclass(frozen=True)
class Entry:
    """One script of the corpus and the truth about it."""

    name: str
    """With its half of the corpus: guilty/trainer_history."""
    command: tuple[str, ...]
    """What follows the interpreter, to be run in `folder`."""
    folder: Path
    kind: str
    """A kind of the contract, or "none"."""
    lines: frozenset[tuple[Path, int]]
    """Where the statements to change are; empty if there is no such line."""
    holders: frozenset[str]
    """Expressions that name what keeps it alive; empty if there is none."""
    first_bad: int
    """The first iteration, counted from 0, in which the fault is there to be seen: an old graph
    is reached or still alive, a backward raises."""
    notice: int
    """Iterations after `first_bad` in which it must be found."""
    also: frozenset[str]
    """Kinds of lesser faults that the script has besides; they may be told or not."""

    @property
    def guilty(self) -> bool:
        return self.kind != "none"

    def is_holder(self, expression: str) -> bool:
        """Whether the truth names this expression, quotes and spaces aside."""
        return _plain(expression) in self.holders


def entries(which: str = "*", corpus: Path = CORPUS) -> list[Entry]:
    """All scripts of one half (`guilty`, `innocent`), or of both, by name."""
    folders = [folder for folder in sorted(corpus.glob(which)) if folder.is_dir()]
    return [_entry(folder.name, main) for folder in folders for main in _mains(folder)]


def _mains(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and path.name != "__init__.py":
            yield path
        for name in ("main.py", "__main__.py"):
            if (path / name).is_file():
                yield path / name


def _plain(expression: str) -> str:
    return expression.replace("'", '"').replace(" ", "")


def _entry(half: str, main: Path) -> Entry:
    single = main.name not in {"main.py", "__main__.py"}
    files = [main] if single else sorted(main.parent.rglob("*.py"))
    fields = _fields(main)
    kind = fields["kind"]
    module = main.name == "__main__.py"
    return Entry(
        name=f"{half}/{main.stem if single else main.parent.name}",
        command=("-m", main.parent.name) if module else (str(main),),
        folder=main.parent.parent if module else main.parent,
        kind=kind,
        lines=frozenset(place for file in files for place in _culprits(file)),
        holders=frozenset(_plain(h) for h in fields.get("holder", "").split(" | ") if h),
        first_bad=int(fields.get("first-bad", _SEEN_FIRST.get(kind, 0))),
        notice=int(fields.get("notice", _NOTICE.get(kind, _NOTICE_OTHERS))),
        also=frozenset(fields.get("also", "").split()),
    )


def _fields(main: Path) -> dict[str, str]:
    """The comments that a script begins with, up to the first line of another sort."""
    first, *rest = main.read_text().splitlines()
    if not first.startswith(_START):
        raise ValueError(f"{main}: the first line must be {_START}...")
    fields = {"kind": first.removeprefix(_START).strip()}
    for line in rest:
        key, colon, value = line.removeprefix("# ").partition(": ")
        if not line.startswith("# ") or not colon:
            break
        fields[key] = f"{fields[key]} | {value}" if key in fields else value.strip()
    return fields


def _culprits(file: Path) -> Iterator[tuple[Path, int]]:
    """All lines of each marked statement, for either end of it is a fair answer."""
    text = file.read_text()
    marked = [n for n, line in enumerate(text.splitlines(), 1) if line.rstrip().endswith(_MARK)]
    if not marked:
        return
    statements = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    for line in marked:
        around = [s for s in statements if _first(s) <= line <= (s.end_lineno or s.lineno)]
        inner = min(around, key=lambda s: (s.end_lineno or s.lineno) - s.lineno)
        last = inner.lineno if hasattr(inner, "body") else inner.end_lineno or inner.lineno
        yield from ((file, n) for n in range(min(inner.lineno, line), max(last, line) + 1))


def _first(statement: ast.stmt) -> int:
    """Its first line, decorators included."""
    decorators = getattr(statement, "decorator_list", ())
    return min((statement.lineno, *(decorator.lineno for decorator in decorators)))
