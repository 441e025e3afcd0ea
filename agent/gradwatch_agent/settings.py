"""What the user asked for: the GRADWATCH_* variables, and the name given in the script."""

from __future__ import annotations

import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path

_log = logging.getLogger("gradwatch")

_BUDGET = 0.01
"""Default share of wall time the agent may take."""


@dataclass(frozen=True, slots=True)
class Settings:
    """`budget` is a fraction of wall time; None where nothing was asked for."""

    name: str
    endpoint: str | None = None
    log: str | None = None
    budget: float = _BUDGET
    check: int = 0
    """Iterations that `gradwatch check` asks for; 0 where it does not run."""
    reports: str = ""
    attached: bool = False
    """The agent was put into a process that already ran."""

    @classmethod
    def from_environment(cls, name: str | None = None) -> Settings:
        """A value that makes no sense is told once and not used."""
        return cls(
            name=name or os.environ.get("GRADWATCH_NAME") or _script_name(),
            endpoint=os.environ.get("GRADWATCH_ENDPOINT") or None,
            log=os.environ.get("GRADWATCH_LOG") or None,
            budget=_budget(os.environ.get("GRADWATCH_BUDGET", "")),
            check=int(os.environ.get("GRADWATCH_CHECK") or 0),
            reports=os.environ.get("GRADWATCH_REPORTS", ""),
            attached=os.environ.get("GRADWATCH_ATTACHED") == "1",
        )


def _script_name() -> str:
    main = getattr(sys.modules.get("__main__"), "__file__", None) or (sys.argv or [""])[0]
    return Path(main).name or "python"


def _budget(text: str) -> float:
    if not text:
        return _BUDGET
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if 0 <= share <= 1:
        return share
    _log.warning(
        "gradwatch: GRADWATCH_BUDGET=%r is no share between 0 and 1; %g it is", text, _BUDGET
    )
    return _BUDGET
