"""`stalled` and `crashed`: whether training still goes on. Pure.

`lost` is not here: only a watcher can see that the agent itself is gone.
"""

from __future__ import annotations

from typing import Final

from gradwatch_agent.verdicts.case import Case

_IDLE_S: Final = 300.0
"""Without an iteration for this long while the process does nothing: it waits for something."""

_BUSY_S: Final = 900.0
"""The same while it computes: a validation or a checkpoint may take minutes."""

_FACTOR: Final = 50
"""And never sooner than this many usual iterations."""

_IDLE_SHARE: Final = 0.1
"""Of one core; below, the process counts as idle."""


def stalled(iteration: int, since_s: float, usual_s: float, cpu_share: float) -> Case | None:
    """The case if no iteration ended for too long. `usual_s`: how long one takes."""
    idle = cpu_share < _IDLE_SHARE
    patience_s = max(_IDLE_S if idle else _BUSY_S, _FACTOR * usual_s)
    if iteration < 0 or since_s < patience_s:
        return None
    doing = "is idle" if idle else f"uses {cpu_share:.0%} of a core"
    return Case(
        kind="stalled",
        level="warning",
        since=iteration,
        message=(
            f"No iteration has ended for {since_s:.0f} s (one usually takes {usual_s:.3g} s); "
            f"the process {doing}."
        ),
        suggestion=(
            "See where it waits: a data loader, a collective whose other rank is gone, a lock "
            "(py-spy dump --pid shows every thread's stack)."
        ),
        size=int(since_s),
    )


def crashed(iteration: int, error: str) -> Case:
    """An exception ended the training, or a script that had not come to it yet."""
    ended = f"Training ended by an exception in iteration {iteration}"
    if iteration <= 0:  # whether the first one had begun, nobody knows
        ended = "The script ended by an exception before its first iteration ended"
    return Case(
        kind="crashed",
        level="critical",
        since=max(iteration, 0),
        message=f"{ended}: {error}",
    )
