"""All doors of a process: opened together, closed together."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import zmq

from gradwatch_agent import wire
from gradwatch_agent.link.outlet.calling import SCHEME, CallingDoor
from gradwatch_agent.link.outlet.door import Door, Keyframe, Past
from gradwatch_agent.link.outlet.locked import LockedDoor

_DESCRIPTORS: Final = 32
"""That must be free: libzmq aborts the process if one is refused while it starts its threads."""


class Outlet:
    """Its doors, open. Used by the thread that made it and by no other."""

    def __init__(self, private: str, public: str = "", keys: Path | None = None) -> None:
        """Opens the private door, and one on TCP if asked to, for who is among the keys: one that
        waits there (tcp://) or one that calls a viewer (connect://).

        Raises OSError if it cannot listen, or has not the keys.
        """
        _require_descriptors()
        self._context = zmq.Context()
        try:
            self._doors: list[Door] = [Door(self._context, private)]
            if public:
                kind = CallingDoor if public.startswith(SCHEME) else LockedDoor
                self._doors.append(kind(self._context, public, keys or Path()))
        except zmq.ZMQError as error:
            self.close()
            raise OSError(error.errno, f"{error.strerror} ({public or private})") from None
        except OSError:
            self.close()
            raise

    @property
    def viewers(self) -> int:
        """Connected now."""
        return sum(len(door.viewers) for door in self._doors)

    @property
    def rejected(self) -> int:
        """Requests that made no sense, and handshakes refused."""
        return sum(door.rejected for door in self._doors)

    @property
    def public(self) -> str:
        """Where it listens on TCP; empty if it does not."""
        return next((door.endpoint for door in self._doors[1:]), "")

    def publish(self, frames: list[bytes]) -> None:
        """Sends the frames to every viewer, as one message."""
        for door in self._doors:
            if frames and door.viewers:  # who is only just joining gets them with the past
                door.send([wire.TOPIC, *frames])

    def serve(self, keyframe: Keyframe, past: Past) -> None:
        """Answers who came and who asked since the last call."""
        for door in self._doors:
            door.serve(keyframe, past)

    def close(self, linger_s: float = 0.0) -> None:
        """Closes all; waits at most `linger_s` for what was sent to be on its way."""
        self._context.destroy(linger=int(linger_s * 1000))
        for door in getattr(self, "_doors", []):
            door.clear_away()


class Deaf:
    """In an outlet's place where the job cannot listen."""

    viewers = rejected = 0

    def publish(self, frames: list[bytes]) -> None:
        """Nobody is there."""

    def serve(self, keyframe: Keyframe, past: Past) -> None:
        """Nobody asks."""


def _require_descriptors() -> None:
    """Raises OSError if the process has not enough left."""
    held: list[int] = []
    try:
        held.extend(os.open(os.devnull, os.O_RDONLY) for _ in range(_DESCRIPTORS))
    finally:
        for one in held:
            os.close(one)
