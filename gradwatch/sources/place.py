"""A place where jobs run, as the live source sees it: this machine, another, or one TCP port.

Owns the face they share, and the way each says that it cannot be reached.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gradwatch.sources.feed import Silence
from gradwatch.sources.keys import ViewerKey
from gradwatch_agent.runfile import RunFile


class Unreachable(Exception):
    """The place, or a job asked for there, cannot be reached; one sentence for the user."""


class Place(Protocol):
    """Asked from the source's thread about twice a second, so nothing here may wait."""

    key: ViewerKey | None
    """To be shown to the agents there."""

    @property
    def called_at(self) -> str:
        """HOST:PORT, where the agents there call us: who it is, is then known by what it says.
        Empty where we call them.
        """

    def jobs(self) -> Sequence[RunFile]:
        """Those to be followed that run now; their endpoints can be connected to from here."""

    def alive(self, entry: RunFile, *, silent: bool) -> bool:
        """Whether the job's process still runs, as far as is known; `silent`: it says nothing."""

    def silence(self, entry: RunFile) -> Silence:
        """What keeps the job from being heard, as far as is known."""

    def ended(self, entry: RunFile) -> None:
        """Nothing more will come from that job."""

    def stop(self) -> None:
        """Takes away what was set up."""
