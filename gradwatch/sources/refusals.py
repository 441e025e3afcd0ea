"""Why ssh could not connect, in one sentence a user can act on.

Owns the reading of what the `ssh` program prints on its way out. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gradwatch_agent.wire import clean

_CHANGED: Final = (
    "the key of {host} has changed: it was installed anew, or someone is in between; if you know "
    "why, `ssh-keygen -R` forgets the old key"
)

_MEANINGS: Final[Sequence[tuple[str, str]]] = (
    ("REMOTE HOST IDENTIFICATION HAS CHANGED", _CHANGED),
    (
        "Host key verification failed",
        "the key of {host} is not known here; connect once with `ssh {host}` to accept it",
    ),
    ("Could not resolve hostname", "no machine of the name {host} is known"),
    ("Too many authentication failures", "{host} refused every key that ssh offered"),
    ("Permission denied", "{host} refused you: it accepts none of your keys"),
    ("Connection refused", "{host} is there, but nothing answers ssh on that port"),
    ("timed out", "{host} does not answer; it may be down, or out of reach from here"),
    ("No route to host", "{host} is out of reach from here"),
    ("Network is unreachable", "{host} is out of reach from here"),
    ("administratively prohibited", "{host} does not let ssh forward sockets"),
    ("kex_exchange_identification", "{host} closed the connection before ssh could say a word"),
    ("Connection closed", "{host} closed the connection"),
    ("Connection reset", "{host} closed the connection"),
)


def sentence(host: str, said: str) -> str:
    """What ssh's own words mean; its last line where they are none of the usual ones."""
    for words, meaning in _MEANINGS:
        if words in said:
            return meaning.format(host=host) + "."
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "")
    reason = clean(last.strip()).rstrip(".") or "ssh ended without a word"
    return f"{host} cannot be reached: {reason}."
