"""Strings from a job made safe for a terminal, alone or throughout a message."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from gradwatch_agent.wire.messages import Message

MAX_TEXT: Final = 4_000
"""Longest string kept from a job, in characters; a screen line shows a small part of it."""

_JOINING: Final = frozenset("\u200d\ufe0e\ufe0f")
"""They make one picture of two, or a wide one of a narrow one, in some terminals and not in others:
without them everyone agrees how many cells a text takes."""

_M = TypeVar("_M", bound=Message)


def clean(text: str) -> str:
    """Text from a job, safe for a terminal: cut, and whatever is not printable escaped."""
    if len(text) > MAX_TEXT:
        text = text[: MAX_TEXT - 1] + "…"
    if text.isprintable() and text.isascii():
        return text
    text = "".join(c for c in text if c not in _JOINING)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def cleaned(message: _M) -> _M:
    """The same message with every string in it cleaned."""
    clean_message: _M = _cleaned(message)
    return clean_message


def _cleaned(value: Any) -> Any:
    """The same value with every string in it cleaned; untouched parts are shared."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, msgspec.Struct):
        changed = {
            name: new
            for name in value.__struct_fields__
            if (new := _cleaned(old := getattr(value, name))) is not old
        }
        return msgspec.structs.replace(value, **changed) if changed else value
    if isinstance(value, dict):
        return {clean(key): _cleaned(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_cleaned(item) for item in value)
    return value
