"""How a process ends: notices an uncaught exception and the interpreter's exit.

Owns the chaining into `sys.excepthook` and `atexit`; must not know what is done about it.
"""

from __future__ import annotations

import atexit
import sys
from collections.abc import Callable
from types import TracebackType


class Endings:
    """`crashed` is called with an uncaught exception, `finished` when the interpreter exits."""

    def __init__(
        self, crashed: Callable[[BaseException], None], finished: Callable[[], None]
    ) -> None:
        self._crashed = crashed
        self._finished = finished
        self._previous = sys.excepthook
        self._installed = self._hook

    def install(self) -> None:
        """From now on both are told."""
        self._previous = sys.excepthook
        sys.excepthook = self._installed
        atexit.register(self._finished)

    def remove(self) -> None:
        """Takes both back; a hook that someone laid over ours is left alone."""
        if sys.excepthook is self._installed:
            sys.excepthook = self._previous
        atexit.unregister(self._finished)

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        try:
            self._crashed(error)
        finally:
            self._previous(kind, error, trace)
