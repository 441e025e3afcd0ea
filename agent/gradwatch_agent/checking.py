"""`gradwatch check`, inside the process: full detail for so many iterations, then a clean stop.

Owns the only exception that the agent ever raises on purpose, and the report of how far it came.
"""

from __future__ import annotations

import json
import os
from pathlib import Path


class Enough(SystemExit):
    """The checked iterations are done: unwinds the script as sys.exit() would, with status 0."""

    def __init__(self) -> None:
        super().__init__(0)


class Checking:
    """`iterations`: after how many to stop. `reports`: the directory for this process's report."""

    def __init__(self, iterations: int, reports: Path) -> None:
        self._iterations = iterations
        self._reports = reports

    def ends_with(self, number: int) -> bool:
        """Whether that iteration is the last, or the script went on after it."""
        return number + 1 >= self._iterations

    def iteration_ended(self, number: int) -> None:
        """Raises `Enough` when the last one is done, and again if the script went on."""
        if self.ends_with(number):
            self.report(number + 1, stopped=True)
            raise Enough

    def report(self, iterations: int, *, stopped: bool = False) -> None:
        """Leaves word of how many iterations were seen."""
        path = self._reports / f"{os.getpid()}.json"
        if stopped or not path.exists():
            path.write_text(json.dumps({"iterations": iterations, "stopped": stopped}))
