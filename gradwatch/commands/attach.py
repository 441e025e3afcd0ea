"""`gradwatch` and `gradwatch attach`: the dashboard on every job, or on these."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gradwatch.commands import dashboard, jobs


def run(targets: Sequence[str], key: Path | None = None) -> int:
    """Opens the dashboard; without targets, on every job, those that start later too."""
    dashboard.require_extra()
    if without := jobs.without_agent(targets):
        dashboard.require_terminal()  # before anything is done to a process
        jobs.enter(without)
    if any("://" in target for target in targets):
        dashboard.prepare()  # while ssh connects
    with jobs.places(targets, key, prompts=True) as places:
        dashboard.require_terminal()
        calls = tuple(at for place in places if (at := place.called_at))
        return dashboard.show(jobs.source(places), waits_at=calls)
