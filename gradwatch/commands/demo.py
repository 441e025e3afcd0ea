"""`gradwatch demo`: a real training job with a real fault, and what is seen of it."""

from __future__ import annotations

import importlib.util
import sys
import time
from typing import Final

import click

from gradwatch.commands import dashboard, errors
from gradwatch.commands.following import follow
from gradwatch.commands.training import Training
from gradwatch.commands.watch import note
from gradwatch.model import Job
from gradwatch.scenarios import SCENARIOS, TWINS, Scenario, find
from gradwatch.watcher import Watcher, length
from gradwatch_agent import wire

_DEFAULT: Final = "carried-estimate-retained"

_HEADLESS_S: Final = 20.0
"""Long enough for every scenario's finding to come, and for a reader to wait."""

_APPEAR_S: Final = 60.0
"""A cold import of torch takes this long on a slow disk, in seconds."""

_INSTALL = 'pip install "gradwatch[torch]"'


def show_list() -> int:
    """Names the scenarios."""
    width = max(len(scenario.name) for scenario in (*SCENARIOS, *TWINS))
    for title, scenarios in (("Scenarios", SCENARIOS), ("Cured twins", TWINS)):
        click.echo(f"{title}:")
        for scenario in scenarios:
            click.echo(f"  {scenario.name:{width}}  {scenario.summary}")
    return errors.NOTHING_FOUND


def run(name: str | None, seconds: float | None, *, headless: bool) -> int:
    """Shows one scenario; that its fault is found is no failure."""
    scenario = _scenario(name or _DEFAULT)
    if importlib.util.find_spec("torch") is None:
        raise errors.Unusable(f"the demo trains with PyTorch, which is not installed: {_INSTALL}")
    if headless or not sys.stdout.isatty():
        return _headless(scenario, seconds or _HEADLESS_S)
    dashboard.require_extra()
    dashboard.require_terminal()
    with Training(scenario) as training:
        code = dashboard.show(training.source, seconds)
        _repeat(training.last_words)
    return code


def _scenario(name: str) -> Scenario:
    scenario = find(name)
    if scenario is None:
        raise errors.Unusable(f"no scenario {name!r}; gradwatch demo --list names them.")
    return scenario


def _headless(scenario: Scenario, seconds: float) -> int:
    watcher = Watcher(click.echo, note)
    note(f"{scenario.name}: {scenario.summary}")
    code = errors.NOTHING_FOUND
    with Training(scenario) as training:
        deadline = time.monotonic() + _APPEAR_S

        def at_end() -> bool:
            over = training.ended and watcher.all_over
            until = training.began + seconds if training.began else deadline
            return over or time.monotonic() >= until

        try:
            follow(training.source, watcher, at_end)
        except KeyboardInterrupt:
            code = errors.INTERRUPTED
        _repeat(training.last_words)
        if not watcher.jobs and code == errors.NOTHING_FOUND:
            raise errors.Failed(f"{scenario.name} did not come to its first iteration.")
    for job in watcher.jobs.values():
        click.echo(summary(job))
    return code


def _repeat(words: str) -> None:
    if words:
        click.echo(f"\n{words}\n", err=True)


def summary(job: Job) -> str:
    """What was seen of a job, in three lines."""
    return (
        f"{job.name}: {length(job)} seen\n"
        f"  findings: {', '.join(map(_brief, job.findings.values())) or 'none'}\n"
        f"  nodes the loss reaches: {_nodes(job)}"
    )


def _brief(finding: wire.Finding) -> str:
    growth = finding.nodes_per_iteration
    more = f", {growth:+,.0f} nodes an iteration" if growth else ""
    return f"{finding.kind} ({finding.level}{more})"


def _nodes(job: Job) -> str:
    counted = [record for record in job.iterations if record.reached is not None]
    if not counted:
        return "not counted"
    first, last = counted[0], counted[-1]
    if first.reached is None or last.reached is None or first.number == last.number:
        return f"{first.reached:,} in iteration {first.number:,}"
    slope = (last.reached - first.reached) / (last.number - first.number)
    return (
        f"{first.reached:,} in iteration {first.number:,}, {last.reached:,} in iteration "
        f"{last.number:,} ({slope:+.1f} an iteration)"
    )
