"""The agent's two sockets: live frames go out of one, what was missed is asked for on the other.

Owns zmq on the agent's side: binding, subscriptions, requests, and how many were nonsense.
Must not know messages, threads or clocks: it moves bytes, and asks for the past by callback.

A watcher subscribes to `TOPIC`, then to `KEYFRAME` plus a word of its own. The second is answered
on that very topic with everything the journal holds and a beat, in one multipart message, which
zmq delivers whole or not at all. Nothing here waits: to a watcher that does not read, frames are
dropped, and the numbers in them tell it so.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import zmq

from gradwatch_agent import runfile, wire

_WAITING: Final = 256
"""Multipart messages that may wait for one watcher: 25 s of live frames, at most some MB.
Where they do, zmq's own heartbeats must stay off: libzmq 4.3.5 can abort the whole process
(`Assertion failed: _input_stopped`) when one breaks a connection that waits. Beats do instead."""

_MAX_REQUEST_BYTES: Final = 4_096
"""Largest part accepted from a watcher; a request has 30 bytes."""

_REQUESTS: Final = 32
"""Served in one go; the rest waits, so that a watcher gone mad takes little of the job's time."""

_MAX_WATCHERS: Final = 1_024
_MAX_TOPIC_BYTES: Final = 64

Keyframe: TypeAlias = Callable[[], list[bytes]]
Past: TypeAlias = Callable[[wire.Replay], list[bytes]]


class Outlet:
    """Both sockets, bound. Used by the thread that made it and by no other."""

    def __init__(self, live: str, replay: str) -> None:
        """Raises OSError if it cannot listen."""
        self.rejected = 0
        self._watchers: set[bytes] = set()
        self._paths = [_path(endpoint) for endpoint in (live, replay)]
        try:
            self._context = zmq.Context()
            self._live = self._bound(zmq.XPUB, live)
            self._requests = self._bound(zmq.ROUTER, replay)
        except zmq.ZMQError as error:
            self._context.destroy(linger=0)
            raise OSError(error.errno, f"{error.strerror} ({live})") from None

    @property
    def viewers(self) -> int:
        """Watchers connected now."""
        return len(self._watchers)

    def publish(self, frames: list[bytes]) -> None:
        """Sends the frames to every watcher, as one message."""
        if frames and self._watchers:  # who is only just joining gets them with the past
            self._live.send_multipart([wire.TOPIC, *frames], zmq.NOBLOCK)

    def serve(self, keyframe: Keyframe, past: Past) -> None:
        """Answers who came and who asked since the last call."""
        for parts in _received(self._live):
            if not self._subscription(parts, keyframe):
                self.rejected += 1
        for parts in _received(self._requests):
            if not self._request(parts, past):
                self.rejected += 1

    def close(self, linger_s: float = 0.0) -> None:
        """Closes both; waits at most `linger_s` for what was sent to be on its way."""
        self._context.destroy(linger=int(linger_s * 1000))
        for path in self._paths:
            path.unlink(missing_ok=True)

    def _bound(self, kind: int, endpoint: str) -> zmq.Socket[bytes]:
        bound: zmq.Socket[bytes] = self._context.socket(kind)
        bound.set(zmq.LINGER, 0)
        bound.set(zmq.SNDHWM, _WAITING)
        bound.set(zmq.RCVHWM, _WAITING)
        bound.set(zmq.MAXMSGSIZE, _MAX_REQUEST_BYTES)
        if kind == zmq.XPUB:
            bound.set(zmq.XPUB_VERBOSE, 1)  # tell us of a topic that another watcher has too
        bound.bind(endpoint)
        _path(endpoint).chmod(0o600)
        return bound

    def _subscription(self, parts: list[bytes], keyframe: Keyframe) -> bool:
        """Whether the message was one that a watcher of ours sends."""
        joins, topic = parts[0][:1] == b"\x01", parts[0][1:]
        if len(parts) != 1 or parts[0][:1] not in (b"\x00", b"\x01"):
            return False
        if topic == wire.TOPIC:
            return True
        if not topic.startswith(wire.KEYFRAME) or len(topic) > _MAX_TOPIC_BYTES:
            return False
        if not joins:
            self._watchers.discard(topic)
        elif len(self._watchers) < _MAX_WATCHERS:
            self._watchers.add(topic)
            self._live.send_multipart([topic, *keyframe()], zmq.NOBLOCK)
        return True

    def _request(self, parts: list[bytes], past: Past) -> bool:
        try:
            who, data = parts
            request = wire.decode_request(data)
        except ValueError:
            return False
        with contextlib.suppress(zmq.Again):  # it does not read; it may ask again
            self._requests.send_multipart([who, data, *past(request)], zmq.NOBLOCK)
        return True


def endpoints(chosen: str | None) -> tuple[str, str]:
    """Where to listen: fresh private sockets, or the ipc path chosen and another beside it.

    Raises ValueError for what is no such path, OSError where one cannot be had.
    """
    if chosen is None:
        return runfile.new_endpoints()
    if chosen.startswith("tcp://"):
        raise ValueError(f"{chosen}: TCP needs keys, and this agent cannot make them yet; use ipc")
    if not chosen.startswith("ipc:///"):
        raise ValueError(f"{chosen}: an endpoint is ipc:// and an absolute path")
    pair = chosen, f"{chosen}.r"
    for endpoint in pair:
        _refuse_if_taken(_path(endpoint))
    return pair


def _refuse_if_taken(path: Path) -> None:
    """Raises OSError if something stands at the path that `bind` would silently remove."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise FileExistsError(f"{path} exists and is no socket")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            return  # left behind by a job that died
    raise FileExistsError(f"another process listens on {path}")


def _path(endpoint: str) -> Path:
    return Path(endpoint.removeprefix("ipc://"))


def _received(source: zmq.Socket[bytes]) -> Iterator[list[bytes]]:
    """What has come in, up to a bound."""
    for _ in range(_REQUESTS):
        if not int(source.get(zmq.EVENTS)) & zmq.POLLIN:  # cheaper than to catch an exception
            return
        yield source.recv_multipart(zmq.NOBLOCK)
