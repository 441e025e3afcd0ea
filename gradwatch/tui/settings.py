"""What the dashboard remembers from one time to the next.

Owns the file with it. Must not know textual. A file that cannot be read or written changes
nothing but that nothing is remembered.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

import msgspec

_LARGEST_BYTES: Final = 64 * 1024
"""A file of ours has a few hundred."""


class Settings(msgspec.Struct, frozen=True):
    """As the user left them."""

    theme: str = "dark"
    order: str = "top finding"
    """The column that sorts the jobs."""
    bell: bool = False
    """Ring when a critical finding is raised."""
    desktop: bool = False
    """Notify on the desktop then, through the terminal."""


class Memory:
    """Settings that stay; without a path, for this time only."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.settings = _read(path) if path else Settings()

    def change(self, **changes: object) -> None:
        """Changes some, and writes them down."""
        after = msgspec.structs.replace(self.settings, **changes)
        if after == self.settings:
            return
        self.settings = after
        if self._path is not None:
            with contextlib.suppress(OSError):
                _write(self._path, after)


def usual_path() -> Path:
    """In the user's directory for configurations."""
    # Comes with textual; only needed where something is to be remembered.
    from platformdirs import user_config_path

    return user_config_path("gradwatch") / "dashboard.json"


def _read(path: Path) -> Settings:
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            return Settings()
        return msgspec.json.decode(path.read_bytes(), type=Settings)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return Settings()


def _write(path: Path, settings: Settings) -> None:
    """The whole file or what was there before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n")
    part.replace(path)
