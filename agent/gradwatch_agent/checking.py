"""`gradwatch check`, inside the process: full detail for so many iterations, then a clean stop.

Owns the only exception that the agent ever raises on purpose, and the report of how far it came.
"""

from __future__ import annotations

import json
import os
import threading
from collections import Counter
from pathlib import Path
from typing import ClassVar, Final

_TOLD: Final = 2
"""Times a thread is told before it is clear that it catches what is to end it."""


class Enough(SystemExit):
    """The checked iterations are done: unwinds the script as sys.exit() would, with status 0."""

    def __init__(self) -> None:
        super().__init__(0)


class Checking:
    """`iterations`: after how many to stop. `reports`: the directory for this process's report."""

    is_all: ClassVar[bool] = True
    """Whether the process has no other training: all optimizers that live are of this one."""

    def __init__(self, iterations: int, reports: Path) -> None:
        self._iterations = iterations
        self._reports = reports
        self._told: Counter[int] = Counter()
        """How often each thread was."""
        self._first: int | None = None
        """After how many iterations the first one was."""

    def ends_with(self, number: int) -> bool:
        """Whether that iteration is the last, or the script went on after it."""
        return number + 1 >= self._iterations

    def iteration_ended(self, number: int) -> None:
        """Raises `Enough` when the last one is done, and again if the script went on.

        In a thread it is a plain SystemExit, of which alone threading says nothing.
        """
        if self.ends_with(number):
            self._told[threading.get_ident()] += 1
            self._first = self._first or number + 1
            self.report(self._first, stopped=True)
            is_main = threading.current_thread() is threading.main_thread()
            raise Enough if is_main else SystemExit(0)

    def has_stopped(self) -> bool:
        """Whether a thread was told, of this process or of another of the check: what fails from
        then on may do so for want of what that one would have given.
        """
        return bool(self._told) or any(map(_says_stopped, self._reports.glob("*.json")))

    def report(self, iterations: int, *, stopped: bool = False) -> None:
        """Leaves word of how many iterations were seen, and whether the script goes on after all:
        that a thread was told once more is the training of a `finally`.
        """
        path = self._reports / f"{os.getpid()}.json"
        if stopped or not path.exists():
            caught = max(self._told.values(), default=0) > _TOLD
            told = {"iterations": iterations, "stopped": stopped, "caught": caught}
            # Whole or not at all: the process may be ended in the middle of this.
            new = path.with_suffix(".new")
            new.write_text(json.dumps(told))
            new.replace(path)


def _says_stopped(report: Path) -> bool:
    return bool(json.loads(report.read_text()).get("stopped"))
