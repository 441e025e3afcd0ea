"""What a page and its dashboard say to each other, as bytes and back.

Owns both protocols: packets of Textual's web driver on the dashboard's stdin and stdout, and the
JSON of textual-serve's script in the browser. Must not know processes or sockets. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec

PRELUDE: Final = b"__GANGLION__\n"
"""The first line of a dashboard that has begun to draw."""
HEAD_BYTES: Final = 5
"""Of a packet: its kind and how long it is."""
DATA: Final = b"D"
META: Final = b"M"

_LARGEST_BYTES: Final = 16 * 1024 * 1024
"""Of a packet. A full frame of 300 x 80 in colour has about 1 MB."""

_WIDEST: Final = 500
_HIGHEST: Final = 250
"""Cells of a page; a screen of 8k has no more, and each cell is drawn."""


class Nonsense(ValueError):
    """Not what was agreed."""


@dataclass(frozen=True, slots=True)
class Size:
    """Of a page in cells; what is out of bounds is brought into them."""

    width: int = 80
    height: int = 24

    @staticmethod
    def within(width: int, height: int) -> Size:
        """The nearest one that can be drawn."""
        return Size(min(max(width, 1), _WIDEST), min(max(height, 1), _HIGHEST))


@dataclass(frozen=True, slots=True)
class Ping:
    """To be answered by the same."""

    at: float | str


_Word: TypeAlias = list[msgspec.Raw]


class _Resized(msgspec.Struct):
    width: int
    height: int


class _Meta(msgspec.Struct):
    type: str


def head(data: bytes) -> tuple[bytes, int]:
    """Kind and length of the packet that follows. Raises `Nonsense`."""
    kind, length = data[:1], int.from_bytes(data[1:HEAD_BYTES], "big")
    if length > _LARGEST_BYTES:
        raise Nonsense("a packet is too large")
    return kind, length


def says_exit(meta: bytes) -> bool:
    """Whether the dashboard tells that it has ended."""
    try:
        return msgspec.json.decode(meta, type=_Meta).type == "exit"
    except msgspec.MsgspecError:
        return False


def quit_packet() -> bytes:
    """Asks the dashboard to end."""
    return _meta({"type": "quit"})


def from_browser(text: str) -> bytes | Ping:
    """What the page said: a packet for the dashboard, or a ping. Raises `Nonsense`."""
    try:
        word = msgspec.json.decode(text, type=_Word)
        kind, rest = msgspec.json.decode(word[0], type=str), word[1:]
        match kind, rest:
            case "stdin", [typed]:
                return _packet(DATA, msgspec.json.decode(typed, type=str).encode())
            case "resize", [shape]:
                raw = msgspec.json.decode(shape, type=_Resized)
                size = Size.within(raw.width, raw.height)
                return _meta({"type": "resize", "width": size.width, "height": size.height})
            case (("focus" | "blur"), _):
                return _meta({"type": kind})
            case "ping", [at]:
                return Ping(msgspec.json.decode(at, type=float | str))
    except (msgspec.MsgspecError, IndexError, UnicodeEncodeError) as error:
        raise Nonsense(str(error)) from None
    raise Nonsense("no such word")


def _meta(words: dict[str, object]) -> bytes:
    return _packet(META, msgspec.json.encode(words))


def _packet(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(HEAD_BYTES - 1, "big") + payload
