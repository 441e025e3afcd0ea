"""Which of the running jobs a user means.

Owns the match of a PID or a job name against the run files. Must not know sockets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gradwatch_agent import runfile
from gradwatch_agent.runfile import RunFile


class TargetNotFound(LookupError):
    """No running job is what the user named; says what runs instead."""


def matches(entry: RunFile, targets: Collection[str]) -> bool:
    """Whether the job is meant: by its PID or its name, as one of its ranks, or as any job."""
    return not targets or str(entry.pid) in targets or entry.job in targets


def resolve(targets: Sequence[str]) -> list[RunFile]:
    """The running jobs meant, all if none is named.

    Raises `TargetNotFound` if one of the targets means none, `UnsafeDirectory` as `running` does.
    """
    running = runfile.running()
    for target in targets:
        if not any(matches(entry, [target]) for entry in running):
            raise TargetNotFound(_sentence(target, running))
    return [entry for entry in running if matches(entry, targets)]


def _sentence(target: str, running: Sequence[RunFile]) -> str:
    if target.isdecimal() and runfile.process_started(int(target)) is not None:
        missing = f"Process {target} has no gradwatch agent in it"
    else:
        missing = f"No job {target!r} runs here"
    if not running:
        return f"{missing}; no job with a gradwatch agent runs on this machine."
    return f"{missing}; running: {', '.join(f'{e.job} ({e.pid})' for e in running)}."
