"""Where in a job's past findings began and were resolved.

Owns which of them are marked in the plots. Must not know plots or widgets. Pure.
"""

from __future__ import annotations

from typing import Final

from gradwatch.model import Job
from gradwatch.tui import facts
from gradwatch.tui.curves import Flag
from gradwatch.tui.verdict import GLYPHS

_MOST: Final = 12
"""Flags in one plot; more hide the curves."""


def flags(job: Job) -> tuple[Flag, ...]:
    """The newest ones; hints get none."""
    found = []
    for finding in job.findings.values():
        if finding.level == "info":
            continue
        found.append(Flag(finding.since_iteration, GLYPHS[finding.level], finding.level))
        if finding.state == "resolved":
            found.append(Flag(facts.told_in(job, finding), GLYPHS["good"], "good"))
    return tuple(found[-_MOST:])
