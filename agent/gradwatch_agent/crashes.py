"""What is said of the exception that ended training, where one did.

Owns the last finding and the farewell's reason. Must not know how the process's end is noticed:
see `endings`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.crashing import ended_by, explain_refusal, ran_out, told
from gradwatch_agent.diagnosis.explaining import explain
from gradwatch_agent.guard import Guard
from gradwatch_agent.verdicts.case import finding

if TYPE_CHECKING:
    from gradwatch_agent.checking import Checking
    from gradwatch_agent.loop.lane import Lane

_INTERRUPTED = "interrupted by Ctrl+C"
"""No crash: somebody wanted it."""


class Crashes:
    """Of one session. `post` takes the finding."""

    def __init__(
        self,
        lanes: dict[int, Lane],
        guard: Guard,
        checking: Checking | None,
        post: Callable[[wire.Message], None],
    ) -> None:
        self._lanes = lanes
        self._guard = guard
        self._checking = checking
        self._post = post
        self._crashed = False
        self._why: str | None = None

    def tell(self, error: BaseException, hello: wire.Hello | None) -> None:
        """An uncaught exception: told, unless a finding has explained it already."""
        if isinstance(error, KeyboardInterrupt):
            self._why = self._why or _INTERRUPTED
        elif not isinstance(error, SystemExit):
            self._crashed, self._why = True, type(error).__name__
            self._guard.call("crash", self._explain, error, hello)

    def bye(self, otherwise: str, last: int) -> wire.Bye:
        """The farewell after iteration `last`. `otherwise`: its reason where nothing crashed."""
        return wire.Bye(time.time(), "crashed" if self._crashed else otherwise, self._why, last)

    def _explain(self, error: BaseException, hello: wire.Hello | None) -> None:
        self._why = told(error)
        if hello is None or (self._checking is not None and self._checking.has_stopped()):
            return
        if ran_out(error) and (found := self._filled()) is not None:
            explain(error, found.message, found)
            self._post(found)
            return
        self._guard.call("diagnosis", explain_refusal, error)
        last = max((lane.iteration for lane in list(self._lanes.values())), default=0)
        if (case := ended_by(error, last)) is not None:
            self._post(finding(case, hello, "raised", time.time(), last, "crashed"))

    def _filled(self) -> wire.Finding | None:
        """What has filled memory; by the thread that ended, or by any where that did not train."""
        own = self._lanes.get(threading.get_ident())
        lanes = [own] if own is not None else list(self._lanes.values())
        filled = (lane.ran_out() for lane in lanes)
        return next((found for found in filled if found is not None), None)
