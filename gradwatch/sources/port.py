"""A job behind a TCP port, which opens only to a key.

Owns the trial whether the port lets us in, so that a refusal is one sentence before any screen
is drawn.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

import zmq
from zmq.utils.monitor import recv_monitor_message

from gradwatch.sources.feed import Silence
from gradwatch.sources.keys import ViewerKey
from gradwatch.sources.place import Unreachable
from gradwatch_agent import wire
from gradwatch_agent.runfile import RunFile

_ANSWER_S: Final = 8.0
"""An agent lets in or refuses within a tick of 0.2 s; training may hold it up."""

_CONNECT_S: Final = 10.0
_PROBE_S: Final = 0.3
"""For a look whether a silent port still listens; it must not hold up the other jobs."""

_PROBE_EVERY_S: Final = 3.0

_GONE_S: Final = 15.0
"""For so long a port must refuse before its job counts as ended: while a route is down, a gateway
may refuse in its place."""

_EVENTS: Final = (
    zmq.EVENT_HANDSHAKE_SUCCEEDED
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
    | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_DISCONNECTED
    | zmq.EVENT_CLOSED
)


class Port:
    """One job, by where it listens. A `Place`."""

    called_at = ""

    def __init__(self, endpoint: str, key: ViewerKey) -> None:
        self.key: ViewerKey | None = key
        self._endpoint = endpoint
        url = urlsplit(endpoint)
        self._address = url.hostname or "", url.port or 0
        self._probed_at = 0.0
        self._refused_since: float | None = None
        self._entries = [
            RunFile(run=endpoint, job=endpoint, pid=1, started=0.0, host="", live=endpoint)
        ]

    def start(self) -> None:
        """Raises `Unreachable` if nobody is there, or we are not let in."""
        try:
            socket.getaddrinfo(*self._address)
        except OSError as error:
            raise Unreachable(f"{self._endpoint} cannot be reached: {error.strerror}.") from None
        with zmq.Context() as context:
            self._knock(context)

    def jobs(self) -> Sequence[RunFile]:
        """The one, until it has ended."""
        return self._entries

    def alive(self, entry: RunFile, *, silent: bool) -> bool:  # noqa: ARG002
        """A port that keeps refusing connections has lost its process; a cut network may, too."""
        now = time.monotonic()
        if not silent:
            self._refused_since = None
        elif now - self._probed_at >= _PROBE_EVERY_S:
            self._probed_at = now
            self._refused_since = (self._refused_since or now) if self._is_refused() else None
        return self._refused_since is None or now - self._refused_since < _GONE_S

    def silence(self, entry: RunFile) -> Silence:  # noqa: ARG002
        """All that is known."""
        return Silence(f"{self._endpoint} does not answer")

    def ended(self, entry: RunFile) -> None:  # noqa: ARG002
        """Nobody else will listen there for it."""
        self._entries = []

    def stop(self) -> None:
        """Nothing was set up."""

    def _is_refused(self) -> bool:
        try:
            socket.create_connection(self._address, _PROBE_S).close()
        except OSError as error:
            return isinstance(error, ConnectionRefusedError)
        return False

    def _knock(self, context: zmq.Context[zmq.Socket[bytes]]) -> None:
        """Waits for the end of one handshake."""
        knocking = context.socket(zmq.SUB)
        told = knocking.get_monitor_socket(_EVENTS)
        try:
            knocking.set(zmq.LINGER, 0)
            if self.key is not None:
                self.key.show(knocking)
            knocking.subscribe(wire.TOPIC)
            knocking.connect(self._endpoint)
            until = time.monotonic() + _ANSWER_S
            while (left := until - time.monotonic()) > 0:
                if told.poll(int(left * 1000)):
                    event = int(recv_monitor_message(told)["event"])
                    if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                        return
                    raise Unreachable(self._refusal(event))
            raise Unreachable(self._unanswered())
        finally:
            knocking.disable_monitor()
            knocking.close(linger=0)
            with contextlib.suppress(zmq.ZMQError):
                told.close(linger=0)

    def _unanswered(self) -> str:
        """Zmq does not say why it could not connect; the system does, to whoever tries again."""
        try:
            socket.create_connection(self._address, _CONNECT_S).close()
        except OSError as error:
            return f"{self._endpoint} cannot be reached: {error.strerror or error}."
        return f"{self._endpoint} accepts connections but is no gradwatch agent."

    def _refusal(self, event: int) -> str:
        if event == zmq.EVENT_CLOSED:
            return self._unanswered()
        if event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
            return (
                f"{self._endpoint} does not allow this key: its public half must be in the "
                "`viewers` folder beside the agent's."
            )
        if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
            return f"{self._endpoint} accepts connections but is no gradwatch agent."
        return (
            f"{self._endpoint} broke the connection off: it is no gradwatch agent, or one with "
            "another key than this one was made for."
        )
