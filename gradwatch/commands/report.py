"""`gradwatch report`: what was found in a run that has ended, or in one whose alerts are in a file.

Owns the choice of the run, and how its end is told.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Final

import click
import msgspec

from gradwatch.commands import errors, jobs
from gradwatch.commands.list import table
from gradwatch.reporting import findings_told, newest
from gradwatch_agent import remains, wire
from gradwatch_agent.remains import Remains
from gradwatch_agent.verdicts.case import plural

_NOTHING: Final = (
    "Nothing is kept of any run here: what is found in a job with a gradwatch agent is kept when "
    "it ends."
)
_COLUMNS: Final = ("LAST HEARD OF", "JOB", "RANK", "PID", "HOST", "ENDED", "FINDINGS")


def run(job: str | None, *, listing: bool, as_json: bool) -> int:
    """Tells of the run last heard of, or of that job's last one."""
    known = [one for one in remains.kept() if job is None or one.is_of(job)]
    if job is not None and not known:  # a job mostly bears the name of a file: its script
        if Path(job).is_file():
            return _tell_log(Path(job), as_json=as_json)
        raise errors.NotFound(f"nothing is kept of a job {job!r}; see gradwatch report --list.")
    living = {entry.run for entry in jobs.running()}
    if not known:
        click.echo(_NOTHING, err=True)
    elif listing:
        click.echo(table([_COLUMNS, *(row(one, living) for one in known)]))
    else:
        _tell(known[0], living, as_json=as_json)
        if len(known) > 1:
            more = plural(len(known) - 1, "more run")
            click.echo(f"\nOf {more} something is kept: gradwatch report --list", err=True)
    return errors.NOTHING_FOUND


def told(one: Remains, living: Collection[str]) -> str:
    """The whole report. `living`: the ids of the runs that have not ended."""
    hello = one.hello
    where = f"{_name(one)} (pid {hello.pid} on {hello.host}) {_end(one, living)}"
    return "\n\n".join([where, *findings_told(one.findings)])


def _tell(one: Remains, living: Collection[str], *, as_json: bool) -> None:
    if as_json:
        end = None if one.bye is None else msgspec.structs.asdict(one.bye)
        text = {"job": msgspec.structs.asdict(one.hello), "findings": one.findings, "end": end}
        click.echo(msgspec.json.encode(text).decode())
    else:
        click.echo(told(one, living))


def _tell_log(path: Path, *, as_json: bool) -> int:
    """The newest states in a file of alerts."""
    try:
        found = [wire.cleaned(finding) for finding in newest(path)]
    except (msgspec.DecodeError, UnicodeDecodeError, OSError):
        raise errors.Unusable(
            f"{path} is no file of alerts, and nothing is kept of a job of that name; "
            "see gradwatch report --list."
        ) from None
    if as_json:
        click.echo(msgspec.json.encode({"findings": found}).decode())
    else:
        runs = len({finding.run for finding in found})
        of_them = f" of {runs} runs" if runs > 1 else ""
        said = f"{path}: {plural(len(found), 'finding')}{of_them}"
        click.echo("\n\n".join([said, *findings_told(found)]))
    return errors.NOTHING_FOUND


def _name(one: Remains) -> str:
    hello = one.hello
    return f"{hello.job}/{hello.rank}" if hello.world_size > 1 else hello.job


def _end(one: Remains, living: Collection[str]) -> str:
    """How and when it ended, as far as is known."""
    ago = _ago(time.time() - _heard_at(one))
    if one.hello.run in living:
        return "is running"
    if one.bye is None:
        seen = max((finding.iteration for finding in one.findings), default=-1)
        least = plural(seen + 1, "iteration")
        return (
            f"was killed, or its machine went down (it said no farewell), {ago}; the newest "
            f"finding came after at least {least}"
        )
    how = {"crashed": "crashed", "stopped": "was watched until"}.get(one.bye.reason, "finished")
    why = f": {one.bye.error}" if one.bye.error else ""
    return f"{how} {ago}, after {plural(one.bye.iteration + 1, 'iteration')}{why}"


def row(one: Remains, living: Collection[str]) -> tuple[str, ...]:
    """Its line among others."""
    hello = one.hello
    how = "running" if hello.run in living else one.bye.reason if one.bye else "killed"
    grave = sum(f.level != "info" and f.state != "resolved" for f in one.findings)
    return (
        _stamp(_heard_at(one)),
        hello.job,
        f"{hello.rank}/{hello.world_size}",
        str(hello.pid),
        hello.host,
        how,
        f"{len(one.findings)}, {grave} of warning or above",
    )


def _heard_at(one: Remains) -> float:
    """Seconds since the epoch. The agent dates the file as long as the run lives."""
    if one.bye is not None:
        return one.bye.at
    return max([one.heard, *(_seconds(finding) for finding in one.findings)])


def _seconds(finding: wire.Finding) -> float:
    try:
        return datetime.fromisoformat(finding.time.replace("Z", "+00:00")).timestamp()
    except ValueError:
        return 0.0


def _stamp(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, OSError, ValueError):  # no date there ever was
        return "unknown"


def _ago(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return f"{plural(int(seconds // length), unit)} ago"
    return "just now"
