"""`gradwatch serve` as a child process, and browsers made of nothing but HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import aiohttp
import psutil
from yarl import URL

from .commands import Command, started

DEADLINE_S = 60.0
"""Far beyond what anything takes: only a hang reaches it."""


@dataclass
class Served:
    command: Command
    link: str

    @property
    def process(self) -> psutil.Process:
        return psutil.Process(self.command.process.pid)

    @property
    def pages(self) -> list[psutil.Process]:
        """Their dashboards' processes, and what those started."""
        return self.process.children(recursive=True)


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    with started("serve", *arguments) as command:
        yield Served(command, command.said())


def all_gone(processes: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(processes, DEADLINE_S)[1]


class Browser:
    """Keeps cookies, follows redirects, and can lie in its headers."""

    def __init__(self, http: aiohttp.ClientSession) -> None:
        self.http = http
        self.page = ""
        """The address after the link was opened."""

    async def open(self, link: str) -> None:
        async with self.http.get(link) as answer:
            assert answer.status == 200, await answer.text()
            self.page = str(answer.url)

    async def get(self, url: str, **headers: str) -> tuple[int, str]:
        async with self.http.get(URL(url, encoded=True), headers=headers) as answer:
            return answer.status, await answer.text(errors="replace")

    def join(
        self, query: str = "?width=120&height=35", **headers: str
    ) -> aiohttp.client._WSRequestContextManager:
        """The page's websocket, as its script opens it."""
        origin = {"Origin": str(URL(self.page).origin())} | headers
        sent = {name.replace("_", "-"): value for name, value in origin.items() if value}
        return self.http.ws_connect(f"{self.page}ws{query}", headers=sent, max_msg_size=0)


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    jar = aiohttp.CookieJar(unsafe=True)  # it keeps cookies of an address, as browsers do
    async with aiohttp.ClientSession(
        cookie_jar=jar, timeout=aiohttp.ClientTimeout(DEADLINE_S)
    ) as http:
        yield Browser(http)


async def shown(socket: aiohttp.ClientWebSocketResponse, words: str) -> str:
    """All that came, up to these words; or to the end, if they never came."""
    seen = ""
    while words not in seen:
        message = await asyncio.wait_for(socket.receive(), DEADLINE_S)
        if message.type is not aiohttp.WSMsgType.BINARY:
            break
        seen += message.data.decode(errors="replace")
    return seen


async def closed(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    """Its code, once the server has closed it."""
    while not socket.closed:
        await asyncio.wait_for(socket.receive(), DEADLINE_S)
    return socket.close_code
