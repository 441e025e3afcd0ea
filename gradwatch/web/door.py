"""Who may see the pages: links that open once, and the sessions they open.

Owns the secrets. Must not know HTTP. Pure but for the source of randomness.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from typing import Final

_SECRET_BYTES: Final = 32
"""Of each token and session: nobody guesses 256 bits."""


class UsedUp(Exception):
    """The token opened the door once, and never again."""


class Unknown(Exception):
    """No such token was ever given out."""


class Door:
    """One link at a time can open it; whoever came in keeps a session of their own.

    >>> session = door.enter(door.new_token())
    >>> door.knows(session)
    True
    """

    def __init__(
        self, secret: Callable[[], str] = lambda: secrets.token_urlsafe(_SECRET_BYTES)
    ) -> None:
        self._secret = secret
        self._token: str | None = None
        self._spent: list[str] = []
        self._sessions: list[str] = []

    def new_token(self) -> str:
        """The one that opens the door now; the one before it does no more."""
        if self._token is not None:
            self._spent.append(self._token)
        self._token = self._secret()
        return self._token

    def enter(self, token: str) -> str:
        """A new session for the token, which is dead then. Raises `UsedUp` or `Unknown`."""
        if self._token is not None and _same(token, self._token):
            self._spent.append(self._token)
            self._token = None
            self._sessions.append(self._secret())
            return self._sessions[-1]
        raise UsedUp if any(_same(token, spent) for spent in self._spent) else Unknown

    def knows(self, session: str) -> bool:
        """Whether somebody came in with it."""
        return any(_same(session, known) for known in self._sessions)


def _same(one: str, other: str) -> bool:
    """Compared in a time that tells nothing of where they differ."""
    return hmac.compare_digest(*(text.encode("utf-8", "surrogatepass") for text in (one, other)))
