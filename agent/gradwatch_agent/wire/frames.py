"""How messages travel: the envelope with its number, encoding, decoding, topics.

Whatever comes in is checked and cleaned here; nothing that is sent by a stranger gets further.
"""

from __future__ import annotations

from typing import Final

import msgspec

from gradwatch_agent.wire.cleaning import cleaned
from gradwatch_agent.wire.messages import Message, Replay

VERSION: Final = 1
"""Raised only when an old reader would misunderstand, not when a field is added."""

TOPIC: Final = b"gradwatch/1"
"""What a watcher subscribes to for live frames."""

KEYFRAME: Final = b"keyframe/"
"""Prefix of the private topic a watcher also subscribes to; the agent answers with its past."""

REPLAY: Final = b"replay/"
"""Prefix of a private topic, too: a word of the watcher's own, a slash and an encoded `Replay`."""

MAX_FRAME_BYTES: Final = 8 * 1024 * 1024
"""Largest message part either side accepts; a keyframe is many parts, each far below this."""


class Frame(msgspec.Struct, frozen=True, omit_defaults=True):
    """The envelope: version, number in the journal, how many numbers it covers, the body."""

    v: int
    n: int
    b: msgspec.Raw
    c: int = 1


class NewerVersion(ValueError):
    """The frame was written by a newer gradwatch than this reader understands."""


class Undecodable(ValueError):
    """The bytes are no frame, or hold no message this reader knows."""


_encoder = msgspec.msgpack.Encoder()
_frame_decoder = msgspec.msgpack.Decoder(Frame)
_body_decoder: msgspec.msgpack.Decoder[Message] = msgspec.msgpack.Decoder(Message)
_request_decoder = msgspec.msgpack.Decoder(Replay)


def encode(message: Message, number: int, covers: int = 1) -> bytes:
    """The frame of a message, numbered `number` in the journal."""
    try:
        body = msgspec.Raw(_encoder.encode(message))
    except UnicodeEncodeError:  # e.g. a script whose file name is no UTF-8
        body = msgspec.Raw(_encoder.encode(cleaned(message)))
    return _encoder.encode(Frame(VERSION, number, body, covers))


def encode_request(request: Replay) -> bytes:
    """The bytes of a watcher's request."""
    return _encoder.encode(request)


def decode_request(data: bytes) -> Replay:
    """Raises `Undecodable`."""
    try:
        return _request_decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Undecodable(str(error)) from None


def decode_frame(data: bytes) -> Frame:
    """The envelope alone. Raises `Undecodable` or `NewerVersion`."""
    try:
        frame = _frame_decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Undecodable(str(error)) from None
    if frame.v > VERSION:
        raise NewerVersion(f"a frame of version {frame.v}; this gradwatch reads up to {VERSION}")
    return frame


def decode_body(frame: Frame) -> Message:
    """The cleaned message inside a frame. Raises `Undecodable`."""
    try:
        message = _body_decoder.decode(frame.b)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Undecodable(str(error)) from None
    return cleaned(message)
