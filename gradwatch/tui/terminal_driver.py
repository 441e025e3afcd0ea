"""Textual's driver for a terminal that may go away at any time, or be left and come back to.

Owns what must not outlive the terminal: reading its keys, and waiting for what is written to it.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import IO, TYPE_CHECKING

from textual.drivers.linux_driver import LinuxDriver

from gradwatch.tui.terminal import is_there

if TYPE_CHECKING:
    from textual.app import App


class TerminalDriver(LinuxDriver):
    """Draws on the terminal and reads its keys, while there is one."""

    def __init__(
        self,
        app: App[object],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        if self._file is not None:
            self._file = Patient(self._file)  # type: ignore[assignment]
        self.exit_event = OverOrGone()
        self._drawn_by: asyncio.AbstractEventLoop | None = None

    def start_application_mode(self) -> None:
        """Begins to draw, and to read."""
        self._drawn_by = asyncio.get_running_loop()
        super().start_application_mode()  # type: ignore[no-untyped-call]

    def stop_application_mode(self) -> None:
        """Leaves the terminal as it was."""
        self._drawn_by = None
        super().stop_application_mode()

    def _sigcont_application(self, *_: object) -> None:
        """Textual starts anew at every SIGCONT, even what it had not stopped. The former reader of
        keys was then told to end by nobody, and the process waited for it. The kernel sends a
        SIGCONT with every hang-up, too, when it is too late to start anything.
        """
        if not is_there():
            return
        if self._must_signal_resume:  # it was Textual that stopped us
            super()._sigcont_application()
        elif self._drawn_by is not None:
            # Not in here: what the signal interrupted may hold the lock that writing needs.
            with contextlib.suppress(RuntimeError):  # the loop has been closed meanwhile
                self._drawn_by.call_soon_threadsafe(self._draw_anew)

    def _draw_anew(self) -> None:
        """For a shell that saw us stop has set up the terminal for itself."""
        if self._drawn_by is not None:
            self.suspend_application_mode()
            self.resume_application_mode()
            self._app.refresh(layout=True)


class OverOrGone(threading.Event):
    """Set, too, once the terminal is gone: who reads on then reads its end for ever."""

    def is_set(self) -> bool:
        """Whether to read no more."""
        return super().is_set() or not is_there()


class Patient:
    """A terminal's output that takes everything, and loses it once the terminal is gone.

    The thread that writes would end at the error, and whoever draws wait for it to take the next
    frame.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """As of a file."""
        with contextlib.suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        """As of a file."""
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        """As of a file."""
        return self._file.fileno()
