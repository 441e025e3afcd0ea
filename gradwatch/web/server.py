"""The dashboard as a page: HTTP on loopback, and a websocket for each page.

Owns routes, cookies and headers, and how many pages there are at once. Must not know what a
dashboard shows: it is a command.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

import textual_serve
from aiohttp import WSCloseCode, web
from aiohttp.typedefs import Handler

from gradwatch.web import manners, page
from gradwatch.web.door import Door, Unknown, UsedUp
from gradwatch.web.packets import Size

MOST_PAGES: Final = 8
"""At once: each is a process of about 70 MB."""

_HEARTBEAT_S: Final = 15.0
"""A browser that does not answer for so long and half of it is gone, and its process ends."""

_LARGEST_WORD_BYTES: Final = 256 * 1024
"""Of what a page says: a text that is pasted."""

_COOKIE: Final = "gradwatch"
_PATH_BYTES: Final = 16
_ASSETS: Final = Path(__file__).parent / "assets"
_STATIC: Final = Path(textual_serve.__file__).parent / "static"

_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self' {websocket}; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
"""The terminal's script writes its own styles; nothing comes from elsewhere."""

_FULL: Final = (
    f"\r\n  {MOST_PAGES} pages are open already, each with a process of its own.\r\n"
    "  Close one, then open this one again.\r\n"
)


class Pages:
    """`command` draws a dashboard for Textual's web driver; `door` says who may see it.

    All lies under a path that nobody knows: cookies are shared by all ports of a host, and so the
    server of somebody else on this machine would be sent ours if it were for `/`.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], door: Door) -> None:
        self._command, self._environment, self._door = command, environment, door
        self._path = f"/{secrets.token_urlsafe(_PATH_BYTES)}/"
        self._open: set[web.WebSocketResponse] = set()

    def application(self) -> web.Application:
        """To be run by aiohttp."""
        application = web.Application(middlewares=[self._guard])
        application.add_routes(
            [
                web.get("/", self._enter, allow_head=False),  # to look at a link is not to use it
                web.get(self._path, self._dashboard),
                web.get(f"{self._path}{{name:page\\.(?:css|js)}}", _asset),
                web.get(f"{self._path}ws", self._join),
                web.static(f"{self._path}static", _STATIC),
            ]
        )
        application.on_response_prepare.append(_with_headers)
        application.on_shutdown.append(self._close)
        return application

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Before anything is looked at, even whether it is there."""
        strange = manners.strange(
            request.headers,
            is_link=request.path in ("/", self._path),
            needs_origin=request.path == f"{self._path}ws",
        )
        if strange:
            return _refusal("Not from here", strange)
        if request.path != "/" and not self._door.knows(request.cookies.get(_COOKIE, "")):
            return _refusal("This page is closed", _NO_SESSION)
        return await handler(request)

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        """The link's token for a session; the address that is shown afterwards has none."""
        token = request.query.get("token")
        if token is None:
            return _refusal("This page is closed", _NO_SESSION)
        try:
            session = self._door.enter(token)
        except UsedUp:
            return _refusal("This link was used already", _USED)
        except Unknown:
            return _refusal("This link opens nothing", _UNKNOWN)
        response = web.Response(status=303, headers={"Location": self._path})
        response.set_cookie(_COOKIE, session, path=self._path, httponly=True, samesite="Strict")
        return response

    async def _dashboard(self, request: web.Request) -> web.StreamResponse:
        websocket = f"ws://{request.host}{self._path}ws"
        text = (_ASSETS / "dashboard.html").read_text("utf-8").format(websocket=escape(websocket))
        response = web.Response(text=text, content_type="text/html")
        response.headers["Content-Security-Policy"] = _POLICY.format(websocket=websocket)
        return response

    async def _join(self, request: web.Request) -> web.StreamResponse:
        """One page more, if there is room."""
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT_S, max_msg_size=_LARGEST_WORD_BYTES)
        await socket.prepare(request)
        if len(self._open) >= MOST_PAGES:
            await socket.send_bytes(_FULL.encode())
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
            return socket
        self._open.add(socket)
        try:
            await page.join(socket, self._command, self._environment, _size(request))
        finally:
            self._open.discard(socket)
            await socket.close()
        return socket

    async def _close(self, _: web.Application) -> None:
        """All at once: one that does not answer is waited for, and the others are not to wait."""
        goodbyes = [socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._open]
        await asyncio.gather(*goodbyes, return_exceptions=True)


_NO_SESSION: Final = (
    "It opens with the link that <code>gradwatch serve</code> printed, once, and then for the "
    'browser that used it. If you have just used it in this browser, <a href="">go on</a>; else '
    "press enter in that terminal for a new one."
)
_USED: Final = (
    "Each link opens the dashboard once. Where it did, the page is still open to that browser. "
    "For another one, press enter in the terminal of <code>gradwatch serve</code>."
)
_UNKNOWN: Final = (
    "Perhaps it was cut in copying, or it is of an earlier <code>gradwatch serve</code>."
)


def _refusal(title: str, text: str) -> web.Response:
    page = (_ASSETS / "refusal.html").read_text("utf-8").format(title=title, text=text)
    return web.Response(status=403, text=page, content_type="text/html")


async def _asset(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(_ASSETS / request.match_info["name"])


async def _with_headers(_: web.Request, response: web.StreamResponse) -> None:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)


def _size(request: web.Request) -> Size:
    try:
        return Size.within(int(request.query["width"]), int(request.query["height"]))
    except (KeyError, ValueError):
        return Size()
