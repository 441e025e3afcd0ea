"""What far jobs send comes in through here: bytes are passed on, as many as their gate lets.

Owns a thread, and for each job a socket of its own that libzmq connects to in place of the far
one. What is held back stays with its sender. Keys and messages pass as they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from gradwatch.sources.gate import Gate, NotOurs
from gradwatch.sources.tunnel import private_folder, take_away

_PIECE_BYTES: Final = 65_536
_DIAL_S: Final = 10.0
_AGAIN_S: Final = 0.5
"""Before libzmq is told that the far side cannot be reached, and tries again."""

_FULL_S: Final = 0.05
"""Between two looks whether a full gate lets through again."""

_STOP_S: Final = 2.0


@dataclass(slots=True)
class Front:
    """A far job's socket, as one here."""

    endpoint: str
    gate: Gate = field(default_factory=Gate)
    serving: asyncio.Task[None] | None = None


class Relay:
    """`front` for each far job; `close` it in the end, and `stop` in the very end."""

    def __init__(self) -> None:
        self._opened = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    def front(self, far: str) -> Front:
        """What to connect to instead of that endpoint. Raises OSError."""
        loop = self._loop or self._started()
        self._opened += 1
        path = self._folder / f"{self._opened}.s"
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(path))
        listening.listen()
        front = Front(f"ipc://{path}")
        loop.call_soon_threadsafe(_serve, loop, front, far, listening)
        return front

    def close(self, front: Front) -> None:
        """Hangs up, and lets nobody in there any more."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(lambda: front.serving and front.serving.cancel())

    def stop(self) -> None:
        """Hangs up on all. Harmless when repeated."""
        loop, self._loop = self._loop, None
        if loop is not None:
            closing = asyncio.run_coroutine_threadsafe(_cancel_all(), loop)
            with contextlib.suppress(TimeoutError):
                closing.result(_STOP_S)
            loop.call_soon_threadsafe(loop.stop)
            self._thread.join(_STOP_S)
            take_away(self._folder)

    def _started(self) -> asyncio.AbstractEventLoop:
        loop = self._loop = asyncio.new_event_loop()
        self._folder = private_folder()
        self._thread = threading.Thread(
            target=_run, args=(loop,), name="gradwatch-relay", daemon=True
        )
        self._thread.start()
        return loop


def _run(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


def _serve(
    loop: asyncio.AbstractEventLoop, front: Front, far: str, listening: socket.socket
) -> None:
    front.serving = loop.create_task(_carry_all(front, far, listening))


async def _carry_all(front: Front, far: str, listening: socket.socket) -> None:
    """One connection after the other, as libzmq makes them."""
    loop = asyncio.get_running_loop()
    with listening:
        listening.settimeout(0)
        try:
            while True:
                near, _ = await loop.sock_accept(listening)
                with near:
                    near.settimeout(0)
                    await _carry(front.gate, far, near)
        finally:
            Path(front.endpoint.removeprefix("ipc://")).unlink(missing_ok=True)


async def _carry(gate: Gate, far: str, near: socket.socket) -> None:
    """One connection, until the far side has said its last or libzmq hangs up."""
    try:
        source = await asyncio.wait_for(_dialled(far), _DIAL_S)
    except (OSError, asyncio.TimeoutError):
        await asyncio.sleep(_AGAIN_S)
        return
    gate.began()
    ways = [asyncio.create_task(way) for way in (_out(near, source), _in(source, near, gate))]
    with source:
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)


async def _dialled(far: str) -> socket.socket:
    """Raises OSError."""
    if far.startswith("ipc://"):
        return await _connected(socket.AF_UNIX, far.removeprefix("ipc://"))
    url, loop = urlsplit(far), asyncio.get_running_loop()
    failure = OSError(f"{far} is nowhere")
    for found in await loop.getaddrinfo(url.hostname, url.port, type=socket.SOCK_STREAM):
        try:
            return await _connected(found[0], found[4])
        except OSError as error:  # noqa: PERF203  as many as a name has addresses
            failure = error
    raise failure


async def _connected(family: int, address: Any) -> socket.socket:
    made = socket.socket(family)
    try:
        made.settimeout(0)
        await asyncio.get_running_loop().sock_connect(made, address)
    except BaseException:
        made.close()
        raise
    return made


async def _out(near: socket.socket, far: socket.socket) -> None:
    """Until libzmq hangs up: what a far side that writes its last no longer takes is dropped."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError):
        while piece := await loop.sock_recv(near, _PIECE_BYTES):
            with contextlib.suppress(OSError):
                await loop.sock_sendall(far, piece)


async def _in(far: socket.socket, near: socket.socket, gate: Gate) -> None:
    """Until its end, or until it is none of ours; as much as the gate lets through."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(OSError, NotOurs):
        while piece := await loop.sock_recv(far, _PIECE_BYTES):
            while gate.is_full:
                await asyncio.sleep(_FULL_S)
            gate.passed(piece)
            await loop.sock_sendall(near, piece)  # who does not read is not read for


async def _cancel_all() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
