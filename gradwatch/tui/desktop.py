"""A notification on the desktop, as escape codes for the terminal, wherever that runs.

Owns the codes and what must not stand in them. Must not know jobs. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gradwatch_agent.wire import clean

_LONGEST: Final = 240
"""Characters; desktops cut what is longer, each in its own way."""


def notification(title: str, text: str, environment: Mapping[str, str]) -> str:
    """OSC 9 for iTerm2, else OSC 777; terminals ignore what they do not know."""
    title, text = _plain(title), _plain(text)
    if environment.get("TERM_PROGRAM") == "iTerm.app":
        code = f"\x1b]9;{title}: {text}\x07"
    else:
        code = f"\x1b]777;notify;{title.replace(';', ',')};{text}\x07"
    if "TMUX" in environment:  # it hands on what is wrapped, where it is told to
        doubled = code.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}\x1b\\"
    return code


def _plain(text: str) -> str:
    """Nothing in it can end the code or begin another: a job's text is anybody's."""
    return clean(text[:_LONGEST])
