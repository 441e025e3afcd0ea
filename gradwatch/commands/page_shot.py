"""The picture of the dashboard in a browser: a real run, really served, in a real Chromium.

Owns how it is taken. What is trained, and when it has shown enough, is for the other pictures
as well.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from gradwatch.commands import chromium
from gradwatch.commands.screenshots import scenario_named, shows, until
from gradwatch.commands.training import Training
from gradwatch.model import Job

_NAME: Final = "browser"
_SCENARIO: Final = "carried-estimate-retained"
_ITERATIONS: Final = 120
_TITLE: Final = b"time of an iteration"
"""Once this was sent to the page, the job's screen is on its way."""
_MORE_FRAMES: Final = 20
"""Then it is laid out anew for the page's size, and the curves are drawn."""
_PAINTED: Final = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

_WIDTH, _HEIGHT = 1280, 800
"""Of the page, in pixels: a small notebook's."""


def run(directory: Path) -> None:
    """Makes the picture. Raises `Failed`."""
    path = directory / f"{_NAME}.png"
    asyncio.run(_shoot(path))
    click.echo(path)


async def _shoot(path: Path) -> None:
    scenario, jobs = scenario_named(_SCENARIO), dict[str, Job]()
    with Training(scenario) as training:
        source = training.source(lambda key, event: jobs.setdefault(key, Job(key)).fold(event))
        source.start()
        try:
            await until(
                lambda: any(shows(job, scenario, _ITERATIONS) for job in jobs.values()), _NAME
            )
            with _serving(training.pid) as link:
                await _photograph(link, path)
        finally:
            source.stop()


@contextmanager
def _serving(pid: int) -> Iterator[str]:
    """The link to the dashboard on that process."""
    command = [sys.executable, "-m", "gradwatch", "serve", str(pid)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None  # noqa: S101  it is a pipe
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


async def _photograph(link: str, path: Path) -> None:
    frames: list[Any] = []  # text or bytes
    async with chromium.chromium() as browser:
        tab = await browser.new_page(viewport={"width": _WIDTH, "height": _HEIGHT})
        tab.on("websocket", lambda socket: socket.on("framereceived", lambda f: frames.append(f)))
        await tab.goto(link)
        await until(
            lambda: any(_TITLE in frame for frame in frames if isinstance(frame, bytes)), _NAME
        )
        enough = len(frames) + _MORE_FRAMES
        await until(lambda: len(frames) >= enough, _NAME)
        await tab.evaluate(_PAINTED)
        await tab.screenshot(path=path)
