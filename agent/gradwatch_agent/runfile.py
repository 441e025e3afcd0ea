"""Where a running job can be found: one private directory, one small file a job.

Owns the directory (0700, ours), the run file (0600) and the judgement whether the process
behind one still lives. Must not know zmq or torch; the agent writes, every viewer reads.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
import tempfile
from pathlib import Path

import msgspec
import psutil

from gradwatch_agent.wire import clean

_MAX_RUNFILE_BYTES = 16 * 1024
_SOCKET_PATH_LIMIT = 107
"""Longest path of a unix socket on Linux, in bytes; macOS allows 103."""


class RunFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a viewer must know to attach to one process. `started` is the process's own."""

    run: str
    job: str
    pid: int
    started: float
    host: str
    live: str
    """Endpoint of live frames (SUB connects here)."""
    replay: str
    """Endpoint of requests (DEALER connects here)."""
    rank: int = 0
    world_size: int = 1
    script: str = ""
    v: int = 1


class UnsafeDirectory(OSError):
    """The run directory belongs to someone else, is open to others, or is no directory."""


def directory() -> Path:
    """Where run files live: under XDG_RUNTIME_DIR, else a private directory in the temp one."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    if base and os.access(base, os.W_OK):
        return Path(base) / "gradwatch"
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    return Path(tempfile.gettempdir()) / f"gradwatch-{owner}"


def ensure_directory() -> Path:
    """The run directory, made if need be. Raises `UnsafeDirectory`, or OSError as mkdir does."""
    path = directory()
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700, parents=True)
    check_directory(path)
    return path


def check_directory(path: Path) -> None:
    """Raises `UnsafeDirectory` unless the directory is ours alone."""
    info = path.lstat()
    if not stat.S_ISDIR(info.st_mode):
        raise UnsafeDirectory(f"{path} is not a directory")
    if not hasattr(os, "getuid"):
        return
    if info.st_uid != os.getuid():
        raise UnsafeDirectory(f"{path} belongs to another user (uid {info.st_uid})")
    if info.st_mode & 0o077:
        raise UnsafeDirectory(f"{path} is open to others (mode {info.st_mode & 0o777:o})")


def new_endpoints() -> tuple[str, str]:
    """Two fresh ipc endpoints in the run directory.

    A second bind on a live path would steal it, hence pid and nonce in the name.
    Raises OSError where the path would be too long for a socket.
    """
    base = str(ensure_directory() / f"{os.getpid()}-{secrets.token_hex(4)}")
    if len(os.fsencode(base)) + 2 > _SOCKET_PATH_LIMIT:
        raise OSError(f"the socket path {base} is longer than {_SOCKET_PATH_LIMIT} bytes")
    return f"ipc://{base}.l", f"ipc://{base}.r"


def process_started(pid: int) -> float | None:
    """When the process started, seconds since the epoch; None if there is none (or a zombie)."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return float(process.create_time())
    except psutil.Error:
        return None


def write(entry: RunFile) -> Path:
    """Announces a job; appears whole or not at all. Raises OSError."""
    path = ensure_directory() / f"{entry.run}.json"
    draft = path.with_suffix(".tmp")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(msgspec.json.encode(entry))
    draft.replace(path)
    return path


def remove(entry: RunFile) -> None:
    """Takes the announcement and its sockets away; silent if they are gone."""
    with contextlib.suppress(OSError):
        (directory() / f"{entry.run}.json").unlink()
    for endpoint in (entry.live, entry.replay):
        _unlink_socket(endpoint)


def alive(entry: RunFile) -> bool:
    """Whether the very process that wrote the entry still runs (a reused pid is told apart)."""
    started = process_started(entry.pid)
    return started is not None and abs(started - entry.started) < 1.0


def running() -> list[RunFile]:
    """The jobs of this user on this machine, oldest first; leftovers of dead ones are removed.

    Raises `UnsafeDirectory` if the directory cannot be trusted.
    """
    path = directory()
    if not path.exists():
        return []
    check_directory(path)
    entries = [entry for file in path.glob("*.json") if (entry := read(file))]
    for entry in entries:
        if not alive(entry):
            remove(entry)
    return sorted((e for e in entries if alive(e)), key=lambda e: (e.started, e.rank, e.pid))


def read(path: Path) -> RunFile | None:
    """One run file; None if it is gone, broken, or not a run file."""
    try:
        if path.stat().st_size > _MAX_RUNFILE_BYTES:
            return None
        entry = msgspec.json.decode(path.read_bytes(), type=RunFile)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if entry.run != path.stem or sys.maxsize < entry.pid or entry.pid <= 0:
        return None
    return msgspec.structs.replace(
        entry, job=clean(entry.job), host=clean(entry.host), script=clean(entry.script)
    )


def _unlink_socket(endpoint: str) -> None:
    """Removes an ipc socket of ours; never a path outside the run directory."""
    path = Path(endpoint.removeprefix("ipc://"))
    if endpoint.startswith("ipc://") and path.parent == directory():
        with contextlib.suppress(OSError):
            path.unlink()
