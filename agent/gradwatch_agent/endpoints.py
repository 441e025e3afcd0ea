"""Where the agent listens: what GRADWATCH_ENDPOINT means for this very process.

Owns the reading of the variable, the place of a rank among those that inherited it, and what must
be there first. Must not know zmq.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gradwatch_agent import runfile

try:
    import fcntl
except ImportError:  # Windows, which has no such sockets either
    fcntl = None  # type: ignore[assignment]

_LOCK_TRIES: Final = 300
_LOCK_PAUSE_S: Final = 0.01
"""An agent holds the folder for milliseconds; one that is stopped meanwhile must not halt us. Less
in all than the five seconds that the publisher's start waits."""

_RANKS: Final = 64
"""Paths that are tried; a machine has no more ranks."""

_MAKE_KEYS: Final = "make them with `gradwatch keygen`, or name their folder in GRADWATCH_KEYS"


class BadEndpoint(OSError, ValueError):
    """What was chosen is no endpoint, or lacks its keys. Its words are for the user."""


@dataclass(frozen=True, slots=True)
class Endpoints:
    """`private` is always there; `public`, on TCP, only with keys: where it listens (tcp://), or
    whom it calls (connect://).
    """

    private: str
    public: str = ""
    keys: Path | None = None


def chosen(endpoint: str | None) -> Endpoints:
    """A fresh private socket; or the path chosen; or, besides, the port chosen.

    Ranks that inherit one variable come to lie side by side: rank k of a machine gets the port
    or path k places on, or, where that is taken, the next free one.
    Raises `BadEndpoint`, and OSError where one cannot be had.
    """
    if endpoint is None:
        return Endpoints(runfile.new_endpoint())
    if endpoint.startswith("tcp://"):
        host, port, keys = _on_tcp(endpoint)
        number = port + _local_rank() if port else 0
        return Endpoints(runfile.new_endpoint(), f"tcp://{_numeric(host)}:{number}", keys)
    if endpoint.startswith("connect://"):
        host, port, keys = _on_tcp(endpoint)
        return Endpoints(runfile.new_endpoint(), f"connect://{host}:{port}", keys)
    if not endpoint.startswith("ipc:///"):
        raise BadEndpoint(
            f"{endpoint}: an endpoint is tcp://HOST:PORT to listen, connect://HOST:PORT to call a "
            "viewer that waits there, or ipc:// and a full path"
        )
    free = next((path for path in _beside(endpoint) if not _is_taken(Path(path[6:]))), None)
    if free is None:
        raise FileExistsError(f"other processes listen on {endpoint} and all paths beside it")
    return Endpoints(free)


@contextlib.contextmanager
def alone(endpoint: str | None) -> Iterator[None]:
    """Keeps other agents from the folder of a chosen path meanwhile.

    Between the look whether someone listens there and the bind, which would silently take the
    path over, another must not do the same.
    """
    held = -1
    with contextlib.suppress(OSError):  # no such folder, or a file system without locks
        if fcntl is not None and endpoint is not None and endpoint.startswith("ipc:///"):
            held = os.open(os.path.dirname(endpoint[6:]), os.O_RDONLY)  # noqa: PTH120
            for _ in range(_LOCK_TRIES):
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                time.sleep(_LOCK_PAUSE_S)
    try:
        yield
    finally:
        if held >= 0:
            os.close(held)


def keys_folder() -> Path:
    """Where the keys are: GRADWATCH_KEYS, else where `gradwatch keygen` puts them."""
    if named := os.environ.get("GRADWATCH_KEYS"):
        return Path(named)
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
    return Path(base) / "gradwatch"


def _on_tcp(endpoint: str) -> tuple[str, int, Path]:
    """Host, port and the folder of keys, which must be there."""
    scheme, _, address = endpoint.partition("://")
    host, separator, port = address.rpartition(":")
    able = separator and host and port.isdecimal() and int(port) < 65_536
    if not able or (scheme == "connect" and not int(port)):
        raise BadEndpoint(f"{endpoint}: on TCP an endpoint is {scheme}://HOST:PORT")
    keys = keys_folder()
    if not (keys / "agent.secret").is_file() or not (keys / "viewers").is_dir():
        raise BadEndpoint(f"{endpoint}: TCP needs keys, and {keys} has none; {_MAKE_KEYS}")
    return host, int(port), keys


def _numeric(host: str) -> str:
    """The address, for a name cannot be bound to. Raises OSError for one that is unknown."""
    if host in ("*", "0.0.0.0") or host.startswith("["):  # noqa: S104  the user said so
        return host
    return str(socket.getaddrinfo(host, None, socket.AF_INET, socket.SOCK_STREAM)[0][4][0])


def _local_rank() -> int:
    rank = os.environ.get("LOCAL_RANK", "")
    return int(rank) if rank.isdecimal() else 0


def _beside(endpoint: str) -> Iterator[str]:
    for number in range(_local_rank(), _local_rank() + _RANKS):
        yield f"{endpoint}.{number}" if number else endpoint


def _is_taken(path: Path) -> bool:
    """Whether someone listens there. Raises OSError for what `bind` would silently remove."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISSOCK(mode):
        raise FileExistsError(f"{path} exists and is no socket")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(os.fspath(path))
        except ConnectionRefusedError:
            return False  # left behind by a job that died
    return True
