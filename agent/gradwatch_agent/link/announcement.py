"""How a job is found: its run file, written, kept, and taken away.

Owns what it says and when it is written again. Must not know who reads it.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from gradwatch_agent import runfile, wire

_RENEW_S: Final = 600.0
"""Between two renewals of the run file: what cleans a temporary directory spares young files."""

_RETRY_S: Final = 2.0
"""Between two tries where it could not be written."""

_log = logging.getLogger("gradwatch")


class Announcement:
    """Of one process; used by the thread that serves it."""

    def __init__(self, hello: wire.Hello, private: str, public: str) -> None:
        self.entry = _entry(hello, private, public)
        self._failed = False
        self._due = time.monotonic()

    def keep(self) -> None:
        """Writes it if it is time to; where that cannot be done now, the job is found later."""
        now = time.monotonic()
        if now < self._due:
            return
        try:
            runfile.write(self.entry)
        except OSError as error:
            if not self._failed:
                _log.warning("gradwatch: this job cannot be found yet: %s", error)
            self._failed = True
        else:
            self._failed = False
        self._due = now + (_RETRY_S if self._failed else _RENEW_S)

    def remove(self) -> None:
        """The job is not to be found any more; harmless when repeated."""
        runfile.remove(self.entry)


def _entry(hello: wire.Hello, private: str, public: str) -> runfile.RunFile:
    """What the job's run file says; the start is the process's own, to tell a reused pid."""
    return runfile.RunFile(
        run=hello.run,
        job=hello.job,
        pid=hello.pid,
        started=runfile.process_started(hello.pid) or hello.started,
        host=hello.host,
        live=private,
        rank=hello.rank,
        world_size=hello.world_size,
        script=hello.script,
        ticks=runfile.own_ticks(hello.pid),
        tcp=public,
    )
