"""`gradwatch watch`: findings as lines, without a dashboard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from gradwatch.commands import errors, jobs
from gradwatch.commands.following import follow
from gradwatch.sources.place import Place
from gradwatch.watcher import Watcher
from gradwatch_agent.alertlog import AlertLog
from gradwatch_agent.wire import Level


def run(
    targets: Sequence[str],
    log: Path | None,
    fail_on: Level | None,
    key: Path | None,
    *,
    until_exit: bool,
) -> int:
    """Watches until interrupted, or until every watched job has ended."""
    with jobs.places(targets, key) as places:
        watcher = _watched(targets, places, log, until_exit=until_exit)
    found = fail_on is not None and watcher.found(fail_on)
    return errors.FINDINGS if found else errors.NOTHING_FOUND


def _watched(
    targets: Sequence[str], places: Sequence[Place], log: Path | None, *, until_exit: bool
) -> Watcher:
    """What there was to see until the end."""
    alerts = _alert_log(log) if log else None
    watcher = Watcher(click.echo, note, alerts.write if alerts else None)
    if not targets and not jobs.running():
        note("no job runs yet; waiting for one")

    named = bool(targets) and not any(place.called_at for place in places)
    waits = False

    def at_end() -> bool:
        nonlocal waits
        if alerts:
            alerts.retry()
        over = (until_exit or named) and _all_ended(watcher, places, named=named)
        if over and not waits and not until_exit:
            note("all that was named has ended; Ctrl+C ends the watching, as --until-exit does")
        waits = over
        return until_exit and over

    try:
        follow(jobs.source(places), watcher, at_end)
    finally:
        if alerts:
            alerts.close()
    return watcher


def note(text: str) -> None:
    """Tells something about the watching itself; stdout has the findings only."""
    click.echo(f"gradwatch: {text}", err=True)


def _alert_log(path: Path) -> AlertLog:
    if not path.absolute().parent.is_dir():
        raise errors.Unusable(f"cannot write {path}: there is no such directory.")
    log = AlertLog(path)
    log.resume()  # each job tells its past to whoever comes
    return log


def _all_ended(watcher: Watcher, places: Sequence[Place], *, named: bool) -> bool:
    """Whether all that was watched was heard to its end, and none of it runs any more."""
    if not watcher.all_over or not (watcher.jobs or named):
        return False
    return not any(place.jobs() for place in places)
