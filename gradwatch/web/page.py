"""One page: a dashboard in a process of its own, joined to a browser's websocket.

Owns the process, what goes to and fro, and its end: no page, no process.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from typing import Final

from aiohttp import WSMsgType, web

from gradwatch.web import packets
from gradwatch_agent.wire import clean

_GRACE_S: Final = 3.0
"""Between the word to end, the signal, and the other signal; ssh tunnels are closed meanwhile."""

_LAST_WORDS_BYTES: Final = 4096
"""Of what a dashboard wrote to stderr; the sentence that matters is the last."""


async def join(
    socket: web.WebSocketResponse,
    command: Sequence[str],
    environment: Mapping[str, str],
    size: packets.Size,
) -> None:
    """Runs the command for as long as both it and the page are there."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=dict(environment, COLUMNS=str(size.width), ROWS=str(size.height)),
        start_new_session=True,  # Ctrl+C is for the server, which ends it in order
    )
    words = asyncio.create_task(_last_words(process))
    ways = [
        asyncio.create_task(_show(process, socket)),
        asyncio.create_task(_hear(socket, process)),
    ]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        await asyncio.shield(_end(process))
    if process.returncode and not socket.closed:
        with contextlib.suppress(ConnectionError):
            await socket.send_bytes(_as_terminal_text(await words))
    words.cancel()


async def _show(process: asyncio.subprocess.Process, socket: web.WebSocketResponse) -> None:
    """What the dashboard draws, until it ends or the page is gone."""
    output = process.stdout
    assert output is not None  # noqa: S101  it is a pipe
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, packets.Nonsense):
        if await output.readexactly(len(packets.PRELUDE)) != packets.PRELUDE:
            return
        while True:
            kind, length = packets.head(await output.readexactly(packets.HEAD_BYTES))
            payload = await output.readexactly(length)
            if kind == packets.DATA:
                await socket.send_bytes(payload)
            elif kind == packets.META and packets.says_exit(payload):
                return


async def _hear(socket: web.WebSocketResponse, process: asyncio.subprocess.Process) -> None:
    """What is typed, until the page is gone or says what no page of ours says."""
    assert process.stdin is not None  # noqa: S101  it is a pipe
    with contextlib.suppress(ConnectionError, packets.Nonsense):
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                return
            said = packets.from_browser(message.data)
            if isinstance(said, packets.Ping):
                await socket.send_json(["pong", said.at])
            else:
                process.stdin.write(said)
                await process.stdin.drain()


async def _end(process: asyncio.subprocess.Process) -> None:
    """Asks, then signals it and all it started; returns when it is gone."""
    assert process.stdin is not None  # noqa: S101  it is a pipe
    with contextlib.suppress(ConnectionError):
        process.stdin.write(packets.quit_packet())
    process.stdin.close()
    draining = asyncio.create_task(_drain(process))
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        if number is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(process.wait(), _GRACE_S)
            break
    draining.cancel()


async def _drain(process: asyncio.subprocess.Process) -> None:
    """One that waits for its last frame to be taken cannot end."""
    assert process.stdout is not None  # noqa: S101  it is a pipe
    while await process.stdout.read(_LAST_WORDS_BYTES):
        pass


async def _last_words(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None  # noqa: S101  it is a pipe
    tail = b""
    while part := await process.stderr.read(_LAST_WORDS_BYTES):
        tail = (tail + part)[-_LAST_WORDS_BYTES:]
    return tail.decode(errors="replace")


def _as_terminal_text(words: str) -> bytes:
    """On the normal screen, from its top; nothing in it can steer the terminal."""
    lines = "\r\n".join(f"  {clean(line)}" for line in words.splitlines())
    return f"\x1b[?1049l\x1b[2J\x1b[H\r\n{lines}\r\n".encode()
