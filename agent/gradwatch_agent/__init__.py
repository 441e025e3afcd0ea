"""gradwatch's agent: what runs inside the training process. Importing it alone does nothing.

>>> import gradwatch_agent.auto                       # the one line, or
>>> watch = gradwatch_agent.watch(name="run-7")       # a handle
>>> gradwatch_agent.iteration()                       # optional: an iteration ends here
>>> watch.stop()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradwatch_agent.running import Watch

__all__ = ["iteration", "watch"]
__version__ = "0.1.0"


def watch(name: str | None = None) -> Watch:
    """Watches this process's training. A second call returns the running handle.

    `name` is the job's name (default: GRADWATCH_NAME, else the script's file name). The handle
    is a context manager too; `stop()` leaves torch exactly as it was found. With
    GRADWATCH_OFF=1, or a torch too old, the handle is inert. Raises nothing.
    """
    import torch  # noqa: F401  first: an agent that waits for it must not find us half imported

    from gradwatch_agent.loading import begin

    return begin(name)


def iteration() -> None:
    """Marks the end of an iteration by hand; from the first call on, only these marks count.

    Cheap, and without effect where no agent runs.
    """
    import sys

    running = sys.modules.get("gradwatch_agent.running")
    if running is not None:
        running.mark_iteration()
