"""`gradwatch run`: becomes the command, with the agent in it and in its ranks.

Owns the environment that brings the agent in and the exchange of processes. No parent stays
behind, so output, input, signals and exit status are the command's own by construction.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

from gradwatch import inject
from gradwatch.commands import errors


def run(command: Sequence[str], name: str | None, *, tui: bool) -> int:
    """Starts the command; comes back only where the dashboard is drawn over its output."""
    environment = with_agent(os.environ, name)
    if tui:
        from gradwatch.commands import behind

        return behind.run(command, environment)
    return become(command, environment)


def with_agent(base: Mapping[str, str], name: str | None = None) -> dict[str, str]:
    """The environment in which a command and its ranks find the agent."""
    here = str(Path(inject.__file__).parent)
    path = base.get("PYTHONPATH")
    environment = dict(base, PYTHONPATH=f"{here}{os.pathsep}{path}" if path else here)
    environment.pop("GRADWATCH_INSIDE", None)  # a watched process may start a run of its own
    if name:
        environment["GRADWATCH_NAME"] = name
    return environment


def become(command: Sequence[str], environment: Mapping[str, str]) -> NoReturn:
    """Replaces this process by the command, as a shell's exec does."""
    sys.stdout.flush()
    sys.stderr.flush()
    _restore_signals()
    try:
        os.execvpe(command[0], list(command), dict(environment))  # noqa: S606
    except OSError as error:
        raise errors.cannot_start(command[0], error) from None


def _restore_signals() -> None:
    """Python ignores these, and what is ignored stays so through exec."""
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
