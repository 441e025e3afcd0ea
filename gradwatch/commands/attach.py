"""`gradwatch` and `gradwatch attach`: the dashboard on every job, or on these."""

from __future__ import annotations

from collections.abc import Sequence

from gradwatch.commands import dashboard, jobs


def run(targets: Sequence[str]) -> int:
    """Opens the dashboard; without targets, on every job, those that start later too."""
    dashboard.require_extra()
    source = jobs.source(targets)
    dashboard.require_terminal()
    return dashboard.show(source)
