"""The session that this process runs, and its handle.

Owns the one global: who begins, ends or puts aside a session does so here. Must not know what a
session is made of.
"""

from __future__ import annotations

import logging
import os
from types import TracebackType

from gradwatch_agent.session import Session
from gradwatch_agent.settings import Settings
from gradwatch_agent.torch_seam import UnsupportedTorch

_log = logging.getLogger("gradwatch")

_session: Session | None = None
"""A process has one; the only state outside a session."""


class Watch:
    """The handle of the running agent; inert if it could not start."""

    def __init__(self, session: Session | None) -> None:
        self._session = session

    @property
    def running(self) -> bool:
        """Whether this process is watched through this handle."""
        return self._session is not None and self._session is _session

    def stop(self) -> None:
        """Removes every hook and closes every socket. A second call does nothing."""
        self._stop(None)

    def _stop(self, error: BaseException | None) -> None:
        global _session
        if self._session is not None and self._session is _session:
            _session, ended = None, self._session
            ended.close(error)

    def __enter__(self) -> Watch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop(error)


def watch(name: str | None = None, *, wait_for_backward: bool = False) -> Watch:
    """Starts the session of this process, or gives the running one's handle. Raises nothing."""
    global _session
    if _session is not None and _session.private:
        return Watch(None)
    if _session is None and os.environ.get("GRADWATCH_OFF") != "1":
        session = Session(Settings.from_environment(name))
        try:
            session.install()
        except UnsupportedTorch as error:
            _log.warning("gradwatch: %s", error)
            return Watch(None)
        _session = session
        if not wait_for_backward:
            session.open()
    return Watch(_session)


def begin_instead(session: Session) -> Session | None:
    """Starts a session in the place of the running one, which is put aside; gives that one.

    Raises `UnsupportedTorch`.
    """
    global _session
    session.install()
    before, _session = _session, session
    if before is not None:
        before.put_aside()
    session.open()
    return before


def end_instead(session: Session, before: Session | None) -> None:
    """Ends that session; the one that ran before it goes on."""
    global _session
    session.close()
    _session = before
    if before is not None:
        before.take_up()


def mark_iteration() -> None:
    """The script says that an iteration is over."""
    if _session is not None:
        _session.marked()


def _forked() -> None:
    if _session is not None:
        _session.forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
