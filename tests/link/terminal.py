"""The command line on a terminal of its own, as a user has it: what it draws, and keys for it."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .commands import DEADLINE_S, GRADWATCH

DRAWN = b"\x1b[?1049h"
"""The terminal is told to show its other screen: the dashboard is there."""

SIZE = struct.pack("HHHH", 40, 100, 0, 0)
"""Rows and columns; the rest is not asked for."""


class Terminal:
    """Our end of it."""

    def __init__(self, process: subprocess.Popen[bytes], ours: int, modes: list[object]) -> None:
        self.process, self._ours = process, ours
        self._modes = modes
        self.output = b""

    def shows(self, *words: bytes) -> None:
        """Reads on until all of them have come since the last call."""
        since = len(self.output)
        while not all(word in self.output[since:] for word in words):
            assert self.more(), f"it ended without {words}: {self.output[since:]!r}"

    def more(self) -> bytes:
        """Nothing, once nobody holds the other end any more."""
        try:
            read = os.read(self._ours, 65536)
        except OSError:
            read = b""
        self.output += read
        return read

    def type(self, keys: bytes) -> None:
        os.write(self._ours, keys)

    def hang_up(self) -> None:
        """As a terminal's window does that is closed."""
        os.close(self._ours)
        self._ours = os.open(os.devnull, os.O_RDONLY)

    def end(self) -> int:
        """Reads what else comes, until the command has ended; its exit code."""
        while self.more():
            pass
        return self.process.wait(DEADLINE_S)

    def is_as_it_was(self) -> bool:
        """Whether its modes are those it had before the command."""
        return termios.tcgetattr(self._ours) == self._modes

    def close(self) -> None:
        os.close(self._ours)


@contextmanager
def opened(*arguments: str, controlling: bool = True) -> Iterator[Terminal]:
    """`controlling`: it is the terminal of its session, so that a signal tells of its end."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, SIZE)
    modes = termios.tcgetattr(ours)
    with subprocess.Popen(
        [*GRADWATCH, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm-256color"},
        start_new_session=True,  # as in a terminal: an interrupt is for this command alone
        preexec_fn=_take if controlling else None,
    ) as process:
        os.close(theirs)
        killer = threading.Timer(DEADLINE_S, process.kill)
        killer.start()
        terminal = Terminal(process, ours, modes)
        try:
            yield terminal
        finally:
            killer.cancel()
            process.kill()
            terminal.close()


def _take() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def on_terminal(
    *arguments: str, when: dict[bytes, Callable[[Terminal], object]]
) -> tuple[int, bytes]:
    """Does things once something is shown; the exit code, and all that came to the terminal."""
    waiting = dict(when)
    with opened(*arguments) as terminal:
        while terminal.more():
            for shown in [text for text in waiting if text in terminal.output]:
                waiting.pop(shown)(terminal)
        return terminal.end(), terminal.output


def leave(terminal: Terminal) -> None:
    terminal.type(b"q")


def interrupt(terminal: Terminal) -> None:
    terminal.type(b"\x03")
