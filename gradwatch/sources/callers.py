"""Jobs that call us: a port on which we wait for agents that nobody can reach.

Owns the port, and the way of each call to a socket of its own, so that to whoever follows jobs
one that called looks like one that listens. Bytes are passed on as they come: only the two ends
have the keys. Who calls again after a break is known by its run, not here.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gradwatch.sources.feed import Silence
from gradwatch.sources.keys import ViewerKey
from gradwatch.sources.place import Unreachable
from gradwatch.sources.tunnel import private_folder, take_away
from gradwatch_agent.runfile import RunFile

_CALLS: Final = 256
"""At once; more are hung up on."""

_AGAIN_S: Final = 30.0
"""A job whose call broke off has so long to call again: twice what its agent needs for it."""

_ANY: Final = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to
_PIECE_BYTES: Final = 65_536
_STOP_S: Final = 2.0


@dataclass(slots=True)
class _Call:
    """One connection that came in."""

    entry: RunFile
    answer: asyncio.StreamWriter
    broke_at: float | None = None


class Callers:
    """Waits at HOST:PORT for agents with GRADWATCH_ENDPOINT=connect://HOST:PORT. A `Place`."""

    def __init__(self, address: tuple[str, int], key: ViewerKey) -> None:
        self.key: ViewerKey | None = key
        self._address = address
        self._folder = private_folder()
        self._calls: dict[str, _Call] = {}
        self._came = 0
        self._server: asyncio.Server | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="gradwatch-callers", daemon=True)

    @property
    def port(self) -> int:
        """Where it waits; chosen by the system if 0 was asked for."""
        return self._address[1]

    @property
    def called_at(self) -> str:
        """What a job is told to call, by this machine's name where it waits at all of them."""
        host = socket.gethostname() if self._address[0] in _ANY else self._address[0]
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    def start(self) -> None:
        """Raises `Unreachable` if it cannot wait there."""
        self._thread.start()
        waiting = asyncio.run_coroutine_threadsafe(self._listen(), self._loop)
        try:
            waiting.result()
        except OSError as error:
            self.stop()
            host, port = self._address
            raise Unreachable(f"Cannot listen on {host}:{port}: {error.strerror}.") from None

    def jobs(self) -> Sequence[RunFile]:
        """Whoever has called."""
        return [call.entry for call in list(self._calls.values())]

    def alive(self, entry: RunFile, *, silent: bool) -> bool:  # noqa: ARG002
        """Nothing is known of its process; a call that broke off long ago is taken for its end."""
        call = self._calls.get(entry.run)
        if call is None:
            return False
        return call.broke_at is None or time.monotonic() - call.broke_at < _AGAIN_S

    def silence(self, entry: RunFile) -> Silence:  # noqa: ARG002
        """All that is known."""
        return Silence("its agent calls no more")

    def ended(self, entry: RunFile) -> None:
        """Hangs up."""
        call = self._calls.pop(entry.run, None)
        if call is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call.answer.close)

    def stop(self) -> None:
        """Hangs up on all. Harmless when repeated."""
        if self._thread.is_alive():
            closing = asyncio.run_coroutine_threadsafe(self._close(), self._loop)
            with contextlib.suppress(TimeoutError):
                closing.result(_STOP_S)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(_STOP_S)
        take_away(self._folder)

    def _run(self) -> None:
        try:
            self._loop.run_forever()
        finally:
            self._loop.close()

    async def _listen(self) -> None:
        host, port = self._address
        self._server = await asyncio.start_server(self._called, host, port)
        self._address = host, self._server.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        calls = asyncio.all_tasks() - {asyncio.current_task()}
        for task in calls:
            task.cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    async def _called(self, far: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        """One call, from its first byte to its last."""
        with contextlib.closing(answer), contextlib.suppress(asyncio.CancelledError):  # we stop
            if len(self._calls) < _CALLS:
                await self._carry(far, answer)

    async def _carry(self, far: asyncio.StreamReader, answer: asyncio.StreamWriter) -> None:
        self._came += 1
        peer = answer.get_extra_info("peername")[0]
        local = self._folder / f"{self._came}.s"
        run, live = f"{peer}#{self._came}", f"ipc://{local}"
        entry = RunFile(run=run, job=run, pid=1, started=0.0, host=peer, live=live)
        taken: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
        server = await asyncio.start_unix_server(lambda r, w: taken.put_nowait((r, w)), local)
        call = self._calls[run] = _Call(entry, answer)
        try:
            near, back = await taken.get()
        finally:
            server.close()
            local.unlink(missing_ok=True)
        try:
            await _pass_on((far, back), (near, answer))
        finally:
            back.close()
            call.broke_at = time.monotonic()


async def _pass_on(*ways: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
    """Both ways, until either end hangs up."""
    tasks = [asyncio.create_task(_one_way(*way)) for way in ways]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


async def _one_way(source: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await source.read(_PIECE_BYTES):
            to.write(piece)
            await to.drain()  # who does not read is not read for
