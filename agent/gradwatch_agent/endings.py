"""How a process ends: notices an uncaught exception and the interpreter's exit.

Owns the chaining into `sys.excepthook`, `threading.excepthook` and `atexit`; must not know what
is done about it.
"""

from __future__ import annotations

import atexit
import sys
import threading
from collections.abc import Callable
from types import TracebackType


class Endings:
    """`crashed` is called with an uncaught exception, `finished` when the interpreter exits.

    `thread_ended` is called in a thread that an exception ends; the process goes on.
    """

    def __init__(
        self,
        crashed: Callable[[BaseException], None],
        finished: Callable[[], None],
        thread_ended: Callable[[BaseException], None],
    ) -> None:
        self._crashed = crashed
        self._finished = finished
        self._thread_ended = thread_ended
        self._previous = sys.excepthook
        self._installed = self._hook
        self._previous_of_threads = threading.excepthook
        self._installed_for_threads = self._thread_hook

    def install(self) -> None:
        """From now on both are told."""
        self._previous = sys.excepthook
        sys.excepthook = self._installed
        self._previous_of_threads = threading.excepthook
        threading.excepthook = self._installed_for_threads
        atexit.register(self._finished)

    def remove(self) -> None:
        """Takes both back; a hook that someone laid over ours is left alone."""
        if sys.excepthook is self._installed:
            sys.excepthook = self._previous
        if threading.excepthook is self._installed_for_threads:
            threading.excepthook = self._previous_of_threads
        atexit.unregister(self._finished)

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        try:
            self._crashed(error)
        finally:
            self._previous(kind, error, trace)

    def _thread_hook(self, ended: threading.ExceptHookArgs) -> None:
        try:
            if ended.exc_value is not None:
                self._thread_ended(ended.exc_value)
        finally:
            self._previous_of_threads(ended)
