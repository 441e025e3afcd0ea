"""What a detector has to say, before it is known whose job it is. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, Final

from gradwatch_agent import wire


@dataclass(frozen=True, slots=True)
class Case:
    """A fault in plain words; the fields are those of `wire.Finding`."""

    kind: str
    level: wire.Level
    since: int
    message: str
    suggestion: str | None = None
    besides: str = ""
    """What is to be said behind any suggestion."""
    file: str | None = None
    line: int | None = None
    code: str | None = None
    holder: str | None = None
    nodes_per_iteration: float | None = None
    bytes_per_iteration: float | None = None
    eta_iterations: int | None = None
    way: tuple[wire.Step, ...] = ()
    size: int = 0
    """How far it has come, in whatever the detector counts; told again when it has doubled."""
    walked: int | None = None
    """The iteration that built the graph which a backward walks again, if it is an earlier one."""


_CARRY: Final = {
    "graph-chain": "`{}` carries them.",
    "second-backward": "`{}` carries them.",
    "graph-held": "`{}` holds them.",
    "memory-climb": "`{}` grows.",
    "oom-forecast": "`{}` grows.",
}
"""What a holder does, by kind of finding."""


def adds_up(kind: str) -> bool:
    """Whether what a finding of that kind costs in an iteration comes to what was there before."""
    return kind != "graph-unused"


def holder_label(kind: str) -> str:
    """What to write before a finding's holder: what a lost or a changed tensor is called by holds
    nothing.
    """
    return "held by" if kind in _CARRY else "name"


@dataclass(frozen=True, slots=True)
class Answer:
    """Where a fault is and what to change; None where it is not known."""

    file: str | None = None
    line: int | None = None
    code: str | None = None
    holder: str | None = None
    suggestion: str | None = None
    how: str = ""
    """By what it keeps them, where it is by more than the name: a closure, a traceback."""
    many: str = ""
    """What the holder is, where it keeps them in many elements: "list of 312"."""
    counted: Callable[[], str] = str
    """The same as of now."""
    others: tuple[str, ...] = ()
    """What keeps them besides the holder."""
    handed: bool = False
    """The line is where it is handed over to what keeps it."""
    bounded: bool = False
    """Some statement detaches what the holder holds: the way back may well end."""
    window: int = 0
    """For so many iterations the way back may rightly grow, for what the holder holds is a window
    of graphs, none made of another, or a state that begins anew then."""
    comes_back: bool = False
    """The program trains by what lies there: a loss is to reach it again."""
    always: bool = False
    """The way back is wrong wherever it ends: what it leads to is the weights of long ago."""
    explains_bytes: float | None = None
    """How much of a climb the holder makes; None where that was not asked."""
    fills: bool = False
    """The holder is a cache by the way it is made: it may be full one day."""
    way: tuple[wire.Step, ...] = ()
    """From the loss to the first node of an earlier iteration."""

    @property
    def known(self) -> dict[str, Any]:
        """What goes into a case, by its field's name."""
        names = ("file", "line", "code", "holder", "suggestion", "way")
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    def explain(self, case: Case) -> Case:
        """The case with all that is known here, and a word on what is not."""
        known = self.known
        if self.suggestion is not None:
            known["suggestion"] += case.besides if "no_grad" not in self.suggestion else ""
        word = _CARRY.get(case.kind, "")
        if not word or (self.holder is None and self.suggestion is not None):
            return replace(case, **known)
        if self.holder is not None:
            word = self._holding(word, self.holder, is_held=case.kind == "graph-held")
        elif self.line is not None:
            word = "By which name is not known: none was found that leads to them."
        else:
            word = "Neither name nor line is known: nothing of the program's own leads to them."
        return replace(case, message=f"{case.message} {word}", **known)

    def _holding(self, word: str, holder: str, *, is_held: bool) -> str:
        """Who keeps them, each for itself or all together."""
        together = () if is_held else self.others
        word = word.format("`, `".join((holder, *together)))
        if together:
            word = word.replace("carries", "carry")
        if self.many and is_held:
            word = word.replace("` ", f"` ({self.many}) ")
        if self.how:
            word = f"{word[:-1]}, by {self.how}."
        if self.others and is_held:
            too = "`, `".join(self.others)
            word = f"{word[:-1]}; so {'does' if len(self.others) == 1 else 'do'} `{too}`."
        return word


def finding(
    case: Case, whose: wire.Hello, state: wire.State, at: float, iteration: int, name: str
) -> wire.Finding:
    """The case as it goes onto the wire. `at` in seconds since the epoch; `name` is its id."""
    return wire.Finding(
        kind=case.kind,
        level=case.level,
        state=state,
        time=rfc3339(at),
        run=whose.run,
        job=whose.job,
        host=whose.host,
        pid=whose.pid,
        rank=whose.rank,
        iteration=iteration,
        since_iteration=case.since,
        message=case.message,
        file=case.file,
        line=case.line,
        code=case.code,
        holder=case.holder,
        suggestion=case.suggestion,
        nodes_per_iteration=case.nodes_per_iteration,
        bytes_per_iteration=case.bytes_per_iteration,
        eta_iterations=case.eta_iterations,
        id=name,
        way=case.way,
    )


def rfc3339(at: float) -> str:
    """Seconds since the epoch as RFC 3339 in UTC, to the millisecond."""
    text = datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


def amount(size_bytes: float) -> str:
    """Bytes in words, with decimal units: 48 MB."""
    for unit in ("B", "kB", "MB", "GB"):
        if abs(size_bytes) < 999.5:  # three digits would round to four
            return f"{size_bytes:.3g} {unit}"
        size_bytes /= 1000
    return f"{size_bytes:.3g} TB"


def plural(count: int, noun: str) -> str:
    """A count and its noun: 1 iteration, 1,234 iterations."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
