"""`gradwatch screenshots`: the pictures of the documentation, from the demo's own runs.

Owns which pictures there are and when a run has shown enough. Nothing in them is staged: each
is the dashboard on real training processes.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gradwatch.commands import errors
from gradwatch.commands.following import Deliver, Source
from gradwatch.commands.training import Training
from gradwatch.model import Job
from gradwatch.scenarios import Scenario, find

if TYPE_CHECKING:
    from gradwatch.tui.app import GradwatchApp

_SIZES: Final = ((120, 35), (80, 24))

_PATIENCE_S: Final = 300.0
"""For a scenario to show enough, on a machine that is busy."""

_LOOK_S: Final = 0.2
"""Between two looks whether it has."""

_DRAWN_S: Final = 0.6
"""Within this time curves are drawn anew."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: what is trained, how far, the keys pressed then, and how it looks."""

    name: str
    scenarios: tuple[str, ...]
    iterations: int = 120
    """Enough for a curve with a shape."""
    keys: tuple[str, ...] = ()
    theme: str = "dark"
    sizes: tuple[tuple[int, int], ...] = _SIZES


SHOTS: Final = (
    Shot("graph-grows", ("carried-estimate-retained",), iterations=200),
    Shot("diagnosis", ("carried-estimate-retained",), keys=("enter",)),
    Shot("narrow", ("carried-estimate-retained",), sizes=((60, 20),)),
    Shot("light", ("rnn-hidden-state",), iterations=2, theme="light", keys=("enter",)),
    Shot("graph-held", ("total-loss",)),
    Shot("backward-twice", ("carried-estimate",)),
    Shot("healthy", ("carried-estimate-fixed",)),
    Shot(
        "jobs",
        ("carried-estimate-retained", "total-loss", "carried-estimate-fixed", "carried-estimate"),
        iterations=60,
        keys=("j",),
    ),
)


class _Together:
    """Several sources that deliver to one dashboard."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources

    def start(self) -> None:
        for source in self._sources:
            source.start()

    def stop(self) -> None:
        for source in self._sources:
            source.stop()


def run(directory: Path, shots: Sequence[Shot] = SHOTS) -> int:
    """Makes the pictures, each at its sizes of a terminal. Raises `Failed`."""
    directory.mkdir(parents=True, exist_ok=True)
    for shot in shots:
        asyncio.run(_shoot(shot, directory))
    return errors.NOTHING_FOUND


async def _shoot(shot: Shot, directory: Path) -> None:
    from gradwatch.tui.app import GradwatchApp

    scenarios = [scenario_named(name) for name in shot.scenarios]
    with ExitStack() as stack:
        trainings = [stack.enter_context(Training(scenario)) for scenario in scenarios]

        def make_source(deliver: Deliver) -> Source:
            return _Together([training.source(deliver) for training in trainings])

        app = GradwatchApp(make_source)
        async with app.run_test(size=_SIZES[0]) as pilot:
            await until(lambda: _is_enough(app, shot, scenarios), shot.name)
            await asyncio.sleep(_DRAWN_S)
            await pilot.press(*shot.keys)
            app.wear(shot.theme)
            app.clear_notifications()
            for width, height in shot.sizes:
                await pilot.resize_terminal(width, height)
                await pilot.pause()
                path = directory / f"{shot.name}-{width}x{height}.svg"
                path.write_text(app.export_screenshot(title="gradwatch"), encoding="utf-8")
                click.echo(path)


def scenario_named(name: str) -> Scenario:
    """Raises `Unusable`."""
    scenario = find(name)
    if scenario is None:
        raise errors.Unusable(f"no scenario {name!r}.")
    return scenario


def _is_enough(app: GradwatchApp, shot: Shot, scenarios: Sequence[Scenario]) -> bool:
    """Whether every job was seen, far enough and with what is the matter with it."""
    jobs = {job.name: job for job in app.jobs.values()}
    return all(
        scenario.name in jobs and shows(jobs[scenario.name], scenario, shot.iterations)
        for scenario in scenarios
    )


def shows(job: Job, scenario: Scenario, iterations: int) -> bool:
    """Whether a job is far enough, with what is the matter with it."""
    found = {finding.kind for finding in job.open_findings}
    is_far = job.number + 1 >= iterations or job.bye is not None
    return is_far and found.issuperset(scenario.expects)


async def until(condition: Callable[[], bool], name: str) -> None:
    """Waits for the run of that name. Raises `Failed`."""
    deadline = time.monotonic() + _PATIENCE_S
    while not condition():
        if time.monotonic() >= deadline:
            raise errors.Failed(f"{name} did not show what it should in {_PATIENCE_S:.0f} s.")
        await asyncio.sleep(_LOOK_S)
