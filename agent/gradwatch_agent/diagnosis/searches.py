"""How much of a run's time searches by names may take: a few looks at most, where they are dear."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from typing import Final

_ALL_S: Final = 2.0
"""Processor time that a run's searches may take, in seconds: each takes some ms, but in a process
of a million objects a third of a second or more."""

_SHARE: Final = 0.001
"""Of the time a run takes, what its searches may take besides."""

_BEFOREHAND_S: Final = 0.15
"""Names of the first iterations are noted, before there is any suspicion, while one search takes
less than this, in seconds of processor time.
"""

_DEAR_S: Final = 0.05
"""A check makes every search that takes less than this, in seconds of processor time."""

_CHECK_SHARE: Final = 0.5
"""Of the time a check takes, what dearer ones may take before there is any suspicion: among a
million objects every iteration would take a third of a second more."""

_CHECK_S: Final = 1.0
"""What they may take at its beginning, when little time has passed: what is carried into the
second batch shows its name at the end of the first alone."""


class Searches:
    """The account of one training thread. `thorough`: a check, where looking costs nothing."""

    def __init__(self, *, thorough: bool) -> None:
        self._thorough = thorough
        self._began = time.perf_counter()
        self._took_s = self._last_s = 0.0
        """All of them, and the last."""

    @property
    def may_be_made(self) -> bool:
        """Whether another may be made, whatever it takes."""
        return self._thorough or self._took_s < _ALL_S + self._earned_s(_SHARE)

    @property
    def may_note(self) -> bool:
        """Whether names may be noted though nothing is suspected."""
        if self._thorough:
            granted_s = _CHECK_S + self._earned_s(_CHECK_SHARE)
            return self._last_s < _DEAR_S or self._took_s < granted_s
        return self._last_s < _BEFOREHAND_S

    def _earned_s(self, share: float) -> float:
        return share * (time.perf_counter() - self._began)

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Puts one down."""
        began = time.thread_time()
        yield
        self._last_s = time.thread_time() - began
        self._took_s += self._last_s
