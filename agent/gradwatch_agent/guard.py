"""The one guard around every hook: nothing of the agent's ever raises into training.

Owns which parts of the agent are on. The first failure of a part is logged once and switches
that part off; what is off is told on the wire.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from gradwatch_agent.interrupting import is_of_a_signal

T = TypeVar("T")

_log = logging.getLogger("gradwatch")


class Guard:
    """Calls the parts of the agent, and keeps what they do wrong away from training.

    `failed` is told of a part that has just gone off.
    """

    def __init__(self, failed: Callable[[str], None] = lambda _: None) -> None:
        self._failed = failed
        self.closed: set[str] = set()
        self._off: dict[str, str] = {}

    @property
    def off(self) -> tuple[str, ...]:
        """The parts that failed, with their first error."""
        return tuple(f"{part}: {why}" for part, why in self._off.items())

    def close(self, part: str) -> None:
        """Ends a part on purpose."""
        self.closed.add(part)

    def reopen(self, part: str) -> None:
        """A part that was ended on purpose goes on."""
        if part not in self._off:
            self.closed.discard(part)

    def call(self, part: str, function: Callable[..., T], *args: Any) -> T | None:
        """The function's result; None if it failed, or its part is off."""
        if part in self.closed:
            return None
        try:
            return function(*args)
        except Exception as error:  # the one place: a hook must not fail training
            if is_of_a_signal(error):
                raise
            self._fail(part, error)
            return None

    def _fail(self, part: str, error: Exception) -> None:
        """The part has raised, and is off from now on."""
        self.closed.add(part)
        self._off[part] = f"{type(error).__name__}: {error}"
        if isinstance(error, OSError):  # whose words are for the user: a folder, a key, an address
            _log.warning("gradwatch: %s failed and is off: %s", part, error)
        else:
            _log.warning("gradwatch: %s failed and is off: %r", part, error, exc_info=error)
        self._failed(part)
