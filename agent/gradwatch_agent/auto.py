"""The one line: `import gradwatch_agent.auto`. Configured by GRADWATCH_* variables.

Starts the agent as soon as torch is imported; in a child process made by multiprocessing, where
most never train, only at the first backward.
"""

import multiprocessing
import os

from gradwatch_agent.arming import when_torch_is_imported
from gradwatch_agent.guard import Guard
from gradwatch_agent.loading import begin


def _start() -> None:
    begin(wait_for_backward=_is_child())


def _is_child() -> bool:
    """Whether multiprocessing made this process; `_inheriting` while it still imports the main
    module, when it does not yet know its parent.
    """
    inheriting = getattr(multiprocessing.current_process(), "_inheriting", False)
    return inheriting or multiprocessing.parent_process() is not None


if os.environ.get("GRADWATCH_OFF") != "1":
    when_torch_is_imported(lambda: Guard().call("start", _start))
