"""Opening the dashboard, and what must be there first.

The one place among the commands that reaches for the [tui] extra.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from types import FrameType
from typing import TYPE_CHECKING

from gradwatch.commands import errors
from gradwatch.commands.following import MakeSource

if TYPE_CHECKING:
    from gradwatch.tui.app import GradwatchApp

_INSTALL = 'pip install "gradwatch[tui]"'


def require_extra() -> None:
    """Raises `Unusable` where textual is missing."""
    try:
        import textual  # noqa: F401
    except ModuleNotFoundError:
        raise errors.Unusable(f"the dashboard is not installed: {_INSTALL}") from None


def require_terminal() -> None:
    """Raises `Unusable` where nothing can be drawn."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise errors.Unusable("the dashboard needs a terminal; without one, use gradwatch watch.")
    if os.environ.get("TERM") == "dumb":  # an editor's shell: it would show the codes as text
        raise errors.Unusable(
            "the dashboard cannot be drawn where TERM is dumb; use gradwatch watch there."
        )


def prepare() -> None:
    """Begins to load what draws, which takes a third of a second."""
    threading.Thread(target=lambda: import_module("gradwatch.tui.app"), daemon=True).start()


def show(
    make_source: MakeSource,
    seconds: float | None = None,
    printed: Callable[[], bytes] | None = None,
    interrupt: Callable[[], bool] | None = None,
    waits_at: tuple[str, ...] = (),
) -> int:
    """Draws until the user leaves, or for so long.

    `printed`: gives what a command has printed since the last call, for a pane; `interrupt` ends
    it. `waits_at`: the places, as host:port, where jobs may call.
    """
    from gradwatch.tui.app import GradwatchApp
    from gradwatch.tui.output import Output
    from gradwatch.tui.settings import usual_path

    app = GradwatchApp(
        make_source,
        settings=usual_path(),
        output=Output(printed) if printed else None,
        interrupt=interrupt,
        waits_at=waits_at,
    )
    timer = threading.Timer(seconds or 0.0, lambda: app.call_from_thread(app.exit))
    timer.daemon = True
    if seconds is not None:
        timer.start()
    with heard_in_turn(app):
        try:
            app.run()
        finally:
            timer.cancel()
            app.leave()
    return app.return_code or errors.NOTHING_FOUND


@contextlib.contextmanager
def heard_in_turn(app: GradwatchApp) -> Iterator[None]:
    """Whoever handles the signals that end us does so when nothing else of the dashboard runs.

    An exception that comes amid anything can leave a lock taken, for which the end then waits.
    """
    theirs = {
        number: handler
        for number in (signal.SIGTERM, signal.SIGHUP)
        if callable(handler := signal.getsignal(number))
    }

    def hear(number: int, frame: FrameType | None) -> None:
        app.in_turn(lambda: theirs[signal.Signals(number)](number, frame))

    for number in theirs:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number, handler in theirs.items():
            if signal.getsignal(number) is hear:  # else they hear no more
                signal.signal(number, handler)
