"""Where a running job can be found: private directories, one small file a job.

Owns the directories (0700, ours), the run file (0600) and the judgement whether the process
behind one still lives. Must not know zmq or torch; the agent writes, every viewer reads.

A job and its viewer may see different variables: a login sets XDG_RUNTIME_DIR, cron and a batch
system do not, and each batch job may have a TMPDIR of its own. So the agent takes the first of
several places that it can have, and a viewer looks in all of them.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import socket
import stat
import sys
import tempfile
from pathlib import Path

import msgspec
import psutil

from gradwatch_agent.wire import clean

MAX_BYTES = 16 * 1024
"""Largest run file that is read; one has some 500 bytes."""

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
    """Endpoint to connect to."""
    rank: int = 0
    world_size: int = 1
    script: str = ""
    v: int = 1
    ticks: int = 0
    """The process's start in the kernel's ticks since boot; unlike `started`, no change of the
    clock moves it. 0 where there is no such number."""
    tcp: str = ""
    """Where it listens for viewers with a key, too."""


class UnsafeDirectory(OSError):
    """The run directory belongs to someone else, is open to others, or is no directory."""


def directories() -> list[Path]:
    """Where run files may be; the first is the one to write to.

    GRADWATCH_RUN_DIR names the only one, else it is a user's runtime directory, else a private
    one in the temporary directory; `/tmp` first, for TMPDIR may be a batch job's own.
    """
    if chosen := os.environ.get("GRADWATCH_RUN_DIR"):
        return [Path(chosen)]
    owner = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    runtime = (os.environ.get("XDG_RUNTIME_DIR"), f"/run/user/{owner}")
    temporary = ("/tmp", tempfile.gettempdir())  # noqa: S108  made and checked to be private
    places = [Path(base) / "gradwatch" for base in runtime if base and _is_ours(Path(base))]
    places += [Path(base) / f"gradwatch-{owner}" for base in temporary if os.access(base, os.W_OK)]
    return list(dict.fromkeys(places))


def _is_ours(base: Path) -> bool:
    """Whether the directory is there, and ours: after `sudo` the variable names another's."""
    try:
        owned = not hasattr(os, "getuid") or base.stat().st_uid == os.getuid()
    except OSError:
        return False
    return owned and os.access(base, os.W_OK)


def directory() -> Path:
    """The run directory to write to."""
    return directories()[0]


def ensure_directory() -> Path:
    """The first run directory to be had, made if need be. Raises `UnsafeDirectory` or OSError."""
    failure: OSError = FileNotFoundError("there is no directory for run files")
    for path in directories():
        try:
            with contextlib.suppress(FileExistsError):
                path.mkdir(mode=0o700, parents=True)
        except OSError as error:  # read-only, or full
            failure = error
            continue
        check_directory(path)
        return path
    raise failure


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
        mode, cure = f"{info.st_mode & 0o777:o}", f"chmod 700 {shlex.quote(str(path))}"
        raise UnsafeDirectory(f"{path} is open to others (mode {mode}); `{cure}` closes it")


def new_endpoint() -> str:
    """A fresh ipc endpoint in the run directory.

    A second bind on a live path would steal it, hence pid and nonce in the name.
    Raises OSError where the path would be too long for a socket.
    """
    path = str(ensure_directory() / f"{os.getpid()}-{secrets.token_hex(4)}.s")
    if len(os.fsencode(path)) > _SOCKET_PATH_LIMIT:
        raise OSError(f"the socket path {path} is longer than {_SOCKET_PATH_LIMIT} bytes")
    return f"ipc://{path}"


def process_started(pid: int) -> float | None:
    """When the process started, seconds since the epoch; None if there is none (or a zombie)."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return float(process.create_time())
    except psutil.Error:
        return None


def process_ticks(stat_line: str) -> int:
    """The start in ticks since boot, out of the text of /proc/PID/stat; 0 for a zombie or none."""
    fields = stat_line.rpartition(")")[2].split()  # the name before it may contain anything
    if len(fields) < 20 or fields[0] in "ZX" or not fields[19].isdecimal():
        return 0
    return int(fields[19])


def own_ticks(pid: int) -> int:
    """The same for a process of this machine; 0 too where the kernel does not say."""
    try:
        return process_ticks(Path(f"/proc/{pid}/stat").read_text(errors="replace"))
    except OSError:
        return 0


def write(entry: RunFile) -> Path:
    """Announces a job; appears whole or not at all. Raises OSError."""
    path = ensure_directory() / f"{entry.run}.json"
    put(path, msgspec.json.encode(entry))
    return path


def put(path: Path, text: bytes) -> None:
    """A private file with that text; appears whole or not at all. Raises OSError."""
    draft = path.with_suffix(".tmp")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(text)
    draft.replace(path)


def remove(entry: RunFile) -> None:
    """Takes the announcement and its socket away; silent if they are gone."""
    for place in directories():
        with contextlib.suppress(OSError):
            (place / f"{entry.run}.json").unlink()
    path = Path(entry.live.removeprefix("ipc://"))
    if entry.live.startswith("ipc://") and path.parent in directories():  # never one elsewhere
        with contextlib.suppress(OSError):
            path.unlink()


def alive(entry: RunFile) -> bool:
    """Whether the very process that wrote the entry still runs (a reused pid is told apart)."""
    if entry.ticks:
        return own_ticks(entry.pid) == entry.ticks
    started = process_started(entry.pid)
    return started is not None and abs(started - entry.started) < 1.0


def listens(entry: RunFile) -> bool:
    """Whether somebody still accepts connections there.

    A process that became another program by `exec` is alive, and does not.
    """
    if not entry.live.startswith("ipc://"):
        return True
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(entry.live.removeprefix("ipc://"))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:  # busy, or stopped: it may come back
            return True
    return True


def running() -> list[RunFile]:
    """The jobs of this user on this machine, oldest first; leftovers of dead ones are removed.

    Raises `UnsafeDirectory` if the directory we would write to cannot be trusted; another one
    that cannot is passed by, as our agents do.
    """
    entries: dict[str, RunFile] = {}
    for number, place in enumerate(directories()):
        try:
            check_directory(place)
        except FileNotFoundError:
            continue
        except UnsafeDirectory:
            if number == 0:
                raise
            continue
        entries |= {entry.run: entry for file in place.glob("*.json") if (entry := read(file))}
    living = [entry for entry in entries.values() if alive(entry)]
    for run in entries.keys() - {entry.run for entry in living}:
        remove(entries[run])
    return sorted(living, key=lambda e: (e.started, e.rank, e.pid))


def read(path: Path) -> RunFile | None:
    """One run file; None if it is gone, broken, or not a run file."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return parse(path.read_bytes(), path.stem)
    except OSError:
        return None


def parse(data: bytes, name: str) -> RunFile | None:
    """What the file of that name says, cleaned; None if it is no run file."""
    try:
        entry = msgspec.json.decode(data, type=RunFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if entry.run != name or not 0 < entry.pid <= sys.maxsize or "/" in name:
        return None
    return msgspec.structs.replace(
        entry,
        job=clean(entry.job),
        host=clean(entry.host),
        script=clean(entry.script),
        tcp=clean(entry.tcp),
    )
