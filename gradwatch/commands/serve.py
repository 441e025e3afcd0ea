"""`gradwatch serve`: the dashboard as a page in a browser on this machine.

Owns the link, the loop, and its end. What each page shows is `gradwatch page`, a process.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gradwatch.commands import dashboard, errors, jobs
from gradwatch.commands.watch import note

if TYPE_CHECKING:
    from aiohttp import web

    from gradwatch.web.door import Door

_INSTALL: Final = 'pip install "gradwatch[serve]"'
_HOST: Final = "127.0.0.1"
_CLOSING_S: Final = 15.0
"""For all pages to end in order; each has three times three seconds."""


def run(targets: Sequence[str], port: int, key: Path | None) -> int:
    """Serves until interrupted; targets must be there now, as for `attach`."""
    _require_extra()
    if any(target.startswith("listen://") for target in targets):
        raise errors.Unusable("listen:// is for attach and watch: each page would need the port.")
    if without := jobs.without_agent(targets):
        jobs.enter(without)
    with jobs.places(targets, key):  # refused here, once, and not in each page
        command = _command(targets, key)
    return asyncio.run(_serve(command, port))


def show_page(targets: Sequence[str], key: Path | None) -> int:
    """What one page shows: the dashboard, drawn for the server that started us."""
    with jobs.places(targets, key) as places:
        return dashboard.show(jobs.source(places))


def _require_extra() -> None:
    dashboard.require_extra()
    try:
        import aiohttp  # noqa: F401
        import textual_serve  # noqa: F401
    except ModuleNotFoundError:
        raise errors.Unusable(f"what serves the dashboard is not installed: {_INSTALL}") from None


def _command(targets: Sequence[str], key: Path | None) -> list[str]:
    shown = ["--key", str(key.absolute())] if key else []
    return [sys.executable, "-m", "gradwatch", "page", *shown, "--", *targets]


def _environment() -> dict[str, str]:
    return dict(
        os.environ,
        TEXTUAL_DRIVER="gradwatch.tui.page_driver:PageDriver",
        TEXTUAL_COLOR_SYSTEM="truecolor",
        TERM="xterm-256color",
        COLORTERM="truecolor",
        PYTHONSAFEPATH="1",  # what lies in the current directory is not ours
    )


async def _serve(command: Sequence[str], port: int) -> int:
    from aiohttp import web

    from gradwatch.web.door import Door
    from gradwatch.web.server import Pages

    door = Door()
    pages = Pages(command, _environment(), door)
    # No access log: it would hold the token.
    runner = web.AppRunner(
        pages.application(), access_log=None, handle_signals=False, shutdown_timeout=_CLOSING_S
    )
    ended = _ended_by_signal()
    await runner.setup()
    try:
        port = await _listen(runner, port)
        _tell(door, port)
        return await ended
    finally:
        await runner.cleanup()


def _ended_by_signal() -> asyncio.Future[int]:
    """Becomes the exit code."""
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    loop.add_signal_handler(signal.SIGINT, end, errors.INTERRUPTED)
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, end, 128 + number)
    return ended


async def _listen(runner: web.AppRunner, port: int) -> int:
    """Returns the port, which is any free one if 0 was asked for."""
    from aiohttp import web

    try:
        await web.TCPSite(runner, _HOST, port).start()
    except OSError as error:
        why = os.strerror(error.errno or 0)
        raise errors.Unusable(f"cannot listen on port {port}: {why}.") from None
    address: tuple[str, int] = runner.addresses[0]
    return address[1]


def _tell(door: Door, port: int) -> None:
    """The link; a new one whenever enter is pressed, where there is somebody to press it."""

    def link() -> None:
        click.echo(f"http://{_HOST}:{port}/?token={door.new_token()}")

    note("open this link in a browser on this machine; it works once.")
    link()
    more = "enter: a new link. " if sys.stdin.isatty() else ""
    note(f"{more}Ctrl+C ends. From another machine: ssh -L {port}:{_HOST}:{port} and this host.")
    if more:
        _when_enter_is_pressed(link)


def _when_enter_is_pressed(act: Callable[[], None]) -> None:
    loop, terminal = asyncio.get_running_loop(), sys.stdin.fileno()

    def pressed() -> None:
        if os.tcgetpgrp(terminal) != os.getpgrp():
            return  # started with &: to read would stop us, and what is typed is the shell's
        if sys.stdin.readline():
            act()
        else:
            loop.remove_reader(terminal)

    loop.add_reader(terminal, pressed)
