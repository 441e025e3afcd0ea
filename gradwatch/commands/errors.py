"""The exit codes, and the ways a verb can refuse: each is one sentence and one code.

Owns the numbers that users' scripts rely on. Must not know any verb.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

NOTHING_FOUND: Final = 0
FINDINGS: Final = 1
INTERRUPTED: Final = 130


class Unusable(click.ClickException):
    """Asked wrongly, or an extra is missing."""

    exit_code = 2


class NotFound(click.ClickException):
    """No such target, or it cannot be reached."""

    exit_code = 3


class Failed(click.ClickException):
    """What was to be run failed, for a reason that is no finding."""

    exit_code = 4


class ReaderGone(click.ClickException):
    """Whoever read our output left; the code a shell shows for a death by SIGPIPE."""

    exit_code = 141


class CommandNotThere(click.ClickException):
    """The command to run does not exist; the code is that of env, nohup and the shells."""

    exit_code = 127


class CommandNotExecutable(click.ClickException):
    """The command to run is there but cannot be executed; the code is theirs, too."""

    exit_code = 126


def cannot_start(command: str, error: OSError) -> click.ClickException:
    """What a shell would answer where a command does not start."""
    kind = CommandNotThere if isinstance(error, FileNotFoundError) else CommandNotExecutable
    if command.endswith(".py") and Path(command).is_file():
        return kind(f"{command} is a script: gradwatch run -- python {command}")
    return kind(f"cannot start {command}: {error.strerror}.")
