"""`gradwatch run --tui`: the command as a child, its output in a pane of the dashboard.

Owns the child, its output and the way its end becomes ours. A command outlives its dashboard:
whoever leaves it sees the whole output, and what comes after it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import BinaryIO, Final

import click
import psutil

from gradwatch.commands import dashboard, errors
from gradwatch.commands.following import Deliver, Source
from gradwatch.model import Event
from gradwatch_agent import wire

_LOOK_S: Final = 0.2
"""Between two looks for new output, in seconds."""

_AT_ONCE_BYTES: Final = 256 * 1024
"""Read for the pane between two frames: more than anybody can see go by. The rest is skipped."""


def run(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs the command behind the dashboard; its exit code."""
    dashboard.require_extra()
    dashboard.require_terminal()
    import gradwatch.tui.app  # noqa: F401  what can fail fails before the command runs

    with tempfile.NamedTemporaryFile(prefix="gradwatch-") as output:
        try:
            child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,  # the keyboard is the dashboard's
                stdout=output,
                stderr=subprocess.STDOUT,
                env={"PYTHONUNBUFFERED": "1", **environment},  # else lines come 8 kB at a time
            )
        except OSError as error:
            raise errors.cannot_start(command[0], error) from None
        _hand_on_signals(child)
        with open(output.name, "rb") as pane:  # noqa: PTH123
            dashboard.show(
                lambda deliver: _source(child.pid, deliver),
                printed=lambda: _newest(pane),
                interrupt=lambda: _interrupt(child),
            )
        return _see_out(child, output.name)


def _newest(output: BinaryIO) -> bytes:
    """What was printed since the last call, or the end of it."""
    behind = os.fstat(output.fileno()).st_size - output.tell()
    if behind > _AT_ONCE_BYTES:
        output.seek(behind - _AT_ONCE_BYTES, os.SEEK_CUR)
    return output.read(_AT_ONCE_BYTES)


def _source(pid: int, deliver: Deliver) -> Source:
    """Follows the jobs in a process and below it."""
    from gradwatch.sources.live import Live

    below: set[str] = set()

    def deliver_below(key: str, event: Event) -> None:
        if isinstance(event, wire.Hello) and _is_below(event.pid, pid):
            below.add(key)
        if key in below:
            deliver(key, event)

    return Live(deliver_below)


def _is_below(pid: int, ancestor: int) -> bool:
    try:
        return ancestor in (pid, *(parent.pid for parent in psutil.Process(pid).parents()))
    except psutil.Error:
        return False


def _interrupt(child: subprocess.Popen[bytes]) -> bool:
    """As the terminal does at Ctrl+C, which while a dashboard is drawn is a key like others: to all
    of the foreground, the command's own children too. Whether there was a command to be ended.
    """
    if child.poll() is not None:
        return False
    os.killpg(os.getpgrp(), signal.SIGINT)
    return True


def _hand_on_signals(child: subprocess.Popen[bytes]) -> None:
    """Ctrl+C reaches the command by itself; other signals are handed on."""
    signal.signal(signal.SIGINT, lambda number, frame: None)  # noqa: ARG005
    signal.signal(signal.SIGTERM, lambda number, frame: child.send_signal(number))  # noqa: ARG005


def _see_out(child: subprocess.Popen[bytes], path: str) -> int:
    """Shows the output so far and what follows, until the command ends."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(_LOOK_S)  # it may just be ending
    if child.poll() is None:
        click.echo(f"gradwatch: the command goes on (pid {child.pid}); Ctrl+C ends it.", err=True)
    with open(path, "rb") as output:  # noqa: PTH123
        ended = False
        while not ended:
            try:
                child.wait(_LOOK_S)
                ended = True  # known before the last look, which misses nothing then
            except subprocess.TimeoutExpired:
                pass
            shutil.copyfileobj(output, sys.stdout.buffer)
            sys.stdout.flush()
    code = child.returncode
    return code if code >= 0 else 128 - code
