"""Which requests are those of our own pages, in a browser on this machine.

Owns the look at Host and Origin. Must not know sessions, nor what is served. Pure.

A page of another site can make the browser of our user send requests here. A foreign name that
is pointed at this machine (DNS rebinding) shows in Host, a foreign page in Origin or, where a
browser sends no Origin, in Sec-Fetch-Site.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost"})
"""With any port: over ssh -L it is another one than ours."""

_OURS: Final = frozenset({"same-origin", "none"})
"""Sec-Fetch-Site of our own pages, and of an address that was typed."""


def strange(headers: Mapping[str, str], *, is_link: bool, needs_origin: bool) -> str:
    """What is foreign about a request, or an empty text.

    `is_link`: it may be followed from anywhere. `needs_origin`: browsers always send one with it.
    """
    host = headers.get("Host", "")
    if not _is_loopback(host):
        return "This address is served to a browser on this machine only."
    origin = headers.get("Origin")
    if origin is None and needs_origin:
        return "A connection without an Origin is not one of ours."
    if origin is not None and origin != f"http://{host}":
        return "Pages of other sites are not let in."
    if not is_link and headers.get("Sec-Fetch-Site", "none") not in _OURS:
        return "Pages of other sites are not let in."
    return ""


def _is_loopback(host: str) -> bool:
    try:
        parts = urlsplit(f"//{host}")
        return parts.hostname in _LOOPBACK and host == _rebuilt(parts.hostname, parts.port)
    except ValueError:
        return False


def _rebuilt(name: str, port: int | None) -> str:
    """As a browser would send it: what is more than name and port is none of its."""
    return name if port is None else f"{name}:{port}"
