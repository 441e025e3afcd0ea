"""A demo's training job: a real child process that begins and ends with its viewer.

Owns the process, its output and its end. What it does is told to the viewer by its agent alone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from types import FrameType, TracebackType
from typing import Final, NoReturn

from gradwatch.commands import errors
from gradwatch.commands.following import Deliver, Source
from gradwatch.commands.run import with_agent
from gradwatch.model import Event
from gradwatch.scenarios import Scenario, path
from gradwatch_agent import wire

_END_S: Final = 3.0
"""Between one signal and the next, less polite one, in seconds."""

_TRACEBACK: Final = b"Traceback (most recent call last):"


class Training:
    """The scenario's process, for as long as the block lasts.

    >>> with Training(scenario) as training:
    ...     follow(training.source, watcher, at_end)
    """

    def __init__(self, scenario: Scenario) -> None:
        self.began: float | None = None
        """When the viewer was there and let it begin (monotonic seconds)."""
        self._sigterm = signal.signal(signal.SIGTERM, _leave)
        self._output = tempfile.TemporaryFile()  # noqa: SIM115  open as long as this is
        hold, self._release = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-u", str(path(scenario))],
                stdin=hold,
                stdout=self._output,
                stderr=subprocess.STDOUT,
                env=_environment(scenario.name),
                start_new_session=True,  # Ctrl+C is for the viewer
            )
        except OSError as error:
            raise errors.Failed(f"cannot start {scenario.name}: {error.strerror}.") from None
        finally:
            os.close(hold)

    def __enter__(self) -> Training:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ends = [self._process.terminate, self._process.kill]
        if os.name == "posix":  # by Ctrl+C it says farewell first
            ends.insert(0, lambda: self._process.send_signal(signal.SIGINT))
        for end in ends:
            end()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_S)
                break
        os.close(self._release)
        self._output.close()
        signal.signal(signal.SIGTERM, self._sigterm)

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the process has ended by itself."""
        return self._process.poll() is not None

    @property
    def last_words(self) -> str:
        """The traceback it ended with, or an empty text."""
        if not self.ended:
            return ""
        self._output.seek(0)
        _, found, trace = self._output.read().rpartition(_TRACEBACK)
        return (found + trace).decode(errors="replace").rstrip()

    def source(self, deliver: Deliver) -> Source:
        """Follows it, and lets it begin once its first word has come."""
        from gradwatch.sources.live import Live

        def deliver_and_begin(key: str, event: Event) -> None:
            deliver(key, event)
            if isinstance(event, wire.Hello) and self.began is None:
                self.began = time.monotonic()
                with contextlib.suppress(BrokenPipeError):  # it has ended already
                    os.write(self._release, b"\n")

        return Live(deliver_and_begin, [str(self._process.pid)])


def _environment(name: str) -> dict[str, str]:
    """What the user set for jobs of their own is not for the demo's, but for where to find it."""
    theirs = {key for key in os.environ if key.startswith("GRADWATCH_")} - {"GRADWATCH_RUN_DIR"}
    clean = {key: value for key, value in os.environ.items() if key not in theirs}
    return with_agent(clean, name) | {"GRADWATCH_HOLD": "1"}


def _leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
    """Ends the viewer in an orderly way, which ends the process."""
    raise SystemExit(128 + number)
