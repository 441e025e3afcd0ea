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

from gradwatch_agent import training


class Endings:
    """`crashed` is called with an uncaught exception, `finished` when the interpreter exits.

    Of threads, only those that train count: another one's end may be nothing to the training.
    """

    def __init__(
        self, crashed: Callable[[BaseException], None], finished: Callable[[], None]
    ) -> None:
        self._crashed = crashed
        self._finished = finished
        self._previous = sys.excepthook
        self._installed = self._hook
        self._previous_in_thread = threading.excepthook
        self._installed_in_thread = self._hook_in_thread

    def install(self) -> None:
        """From now on both are told."""
        self._previous = sys.excepthook
        sys.excepthook = self._installed
        self._previous_in_thread = threading.excepthook
        threading.excepthook = self._installed_in_thread
        atexit.register(self._finished)

    def remove(self) -> None:
        """Takes both back; a hook that someone laid over ours is left alone."""
        if sys.excepthook is self._installed:
            sys.excepthook = self._previous
        if threading.excepthook is self._installed_in_thread:
            threading.excepthook = self._previous_in_thread
        atexit.unregister(self._finished)

    def _hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        try:
            self._crashed(error)
        finally:
            self._previous(kind, error, trace)

    def _hook_in_thread(self, ended: threading.ExceptHookArgs) -> None:
        try:
            if ended.exc_value is not None and threading.get_ident() in training.threads:
                self._crashed(ended.exc_value)
        finally:
            self._previous_in_thread(ended)
