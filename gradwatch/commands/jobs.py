"""The jobs a verb is asked about: which run here, and which of them a TARGET means.

Owns the refusals that every verb with targets shares. Must not know textual.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gradwatch.commands import errors
from gradwatch.commands.following import MakeSource
from gradwatch.sources.targets import TargetNotFound, resolve
from gradwatch_agent import runfile

_T = TypeVar("_T")


def running() -> list[runfile.RunFile]:
    """The jobs of this user on this machine, oldest first."""
    return _refusing(runfile.running)


def source(targets: Sequence[str]) -> MakeSource:
    """Follows the targets, which must run now; without any, every job, later ones too."""
    for target in targets:
        if "://" in target:
            raise errors.Unusable(
                f"{target}: this version does not reach other machines yet; "
                "a target is a PID or a job's name on this one."
            )
    _refusing(lambda: resolve(targets))
    from gradwatch.sources.live import Live

    return lambda deliver: Live(deliver, targets)


def _refusing(look: Callable[[], _T]) -> _T:
    try:
        return look()
    except TargetNotFound as error:
        raise errors.NotFound(str(error)) from None
    except runfile.UnsafeDirectory as error:
        raise errors.NotFound(f"the directory of the jobs cannot be trusted: {error}.") from None
