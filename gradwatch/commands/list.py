"""`gradwatch list`: the running jobs, as a table or as JSON."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import click

from gradwatch.commands import errors, jobs
from gradwatch_agent import remains
from gradwatch_agent.runfile import RunFile

_COLUMNS = ("PID", "JOB", "RANK", "STARTED", "SCRIPT")


def run(*, as_json: bool) -> int:
    """Prints the jobs; an empty machine is no error."""
    entries = jobs.running()
    if as_json:
        click.echo(json.dumps([_object(entry) for entry in entries], indent=2))
    elif entries:
        click.echo(table([_COLUMNS, *map(_row, entries)]))
    else:
        click.echo(
            "No job with a gradwatch agent runs here. Start one with "
            "`gradwatch run -- python train.py`, or try `gradwatch demo`.",
            err=True,
        )
        if remains.kept():
            click.echo("What was found in those that have ended: `gradwatch report`.", err=True)
    return errors.NOTHING_FOUND


def _object(entry: RunFile) -> dict[str, object]:
    started = datetime.fromtimestamp(entry.started, timezone.utc).isoformat(timespec="seconds")
    return {
        "pid": entry.pid,
        "job": entry.job,
        "rank": entry.rank,
        "world_size": entry.world_size,
        "host": entry.host,
        "script": entry.script,
        "started": started.replace("+00:00", "Z"),
        "run": entry.run,
        "tcp": entry.tcp or None,
    }


def _row(entry: RunFile) -> tuple[str, ...]:
    started = datetime.fromtimestamp(entry.started, timezone.utc).astimezone()
    return (
        str(entry.pid),
        entry.job,
        f"{entry.rank}/{entry.world_size}",
        started.strftime("%Y-%m-%d %H:%M:%S"),
        entry.script,
    )


def table(rows: list[tuple[str, ...]]) -> str:
    """Columns side by side."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
