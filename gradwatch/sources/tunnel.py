"""One connection to a host by the user's own ssh: a command's lines come in, sockets come over.

Owns the `ssh` processes and the private directory with their sockets, and takes both away. Must
not know what the lines say. Keys, config, jump hosts and agents are ssh's matter; where the user
keeps a connection to the host open (ControlMaster), it goes through that one.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from gradwatch.sources.place import Unreachable
from gradwatch.sources.refusals import sentence

_CONNECT_S: Final = 10
"""For a host that does not answer at all, where the user's configuration does not say."""

_ALIVE_S: Final = 5
"""A connection of our own that is dead for three times as long is given up."""

_LOCALLY_S: Final = 10.0
"""For questions to ssh that cross no network."""

_WORDS_S: Final = 1.0
"""For the last words of an ssh that has ended; a jump host's may hold the line open."""

_TRIES: Final = 8
"""Removals of a folder into which something is put at the same moment."""

_UNFIT: Final = frozenset('%$:\\"')
"""What ssh would read as more than a part of a path."""


def command() -> list[str]:
    """The ssh to use: GRADWATCH_SSH, as `ssh -F other_config`, else ssh."""
    return shlex.split(os.environ.get("GRADWATCH_SSH", "")) or ["ssh"]


class Tunnel:
    """`lines()` until it breaks; meanwhile `carry` brings sockets over. `close` in the end.

    `host` is what ssh calls the destination, with options before it (a port).
    """

    def __init__(self, name: str, host: Sequence[str], folder: Path) -> None:
        self._name, self._host, self._folder = name, list(host), folder
        self._said: deque[bytes] = deque(maxlen=100)
        self._places: dict[str, Path] = {}
        """Where each socket of the far side is here; the same after the connection broke."""
        self._carried: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: Path | None = None

    def open(self, script: str, *, prompts: bool) -> None:
        """Starts the script over there. Whether it can be reached shows in `lines`."""
        options, theirs = self._options(prompts=prompts)
        self._control = theirs or self._folder / "c"
        if theirs is None:
            self._control.unlink(missing_ok=True)
        started = [*command(), *options, *self._host, "exec", "sh"]
        try:
            self._process = subprocess.Popen(
                started, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as error:
            raise Unreachable(f"{started[0]} cannot be started: {error.strerror}.") from None
        self._said.clear()
        self._listener = threading.Thread(
            target=self._listen, args=(self._process,), name="gradwatch-ssh-words", daemon=True
        )
        self._listener.start()
        stdin = self._process.stdin
        with contextlib.suppress(OSError):  # it has ended already, and says why
            if stdin is not None:
                stdin.write(script.encode())
                stdin.close()

    def lines(self, longest: int) -> Iterator[bytes]:
        """What the script prints, until the connection ends."""
        if self._process is not None and self._process.stdout is not None:
            with contextlib.suppress(ValueError):  # closed meanwhile, by `close`
                while line := self._process.stdout.readline(longest):
                    yield line

    def why(self) -> str:
        """After the end of `lines`: what ended it."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_LOCALLY_S)
            self._listener.join(_WORDS_S)
        return sentence(self._name, b"".join(self._said).decode(errors="replace"))

    def carry(self, remote: str) -> Path:
        """A socket of the far side as one here. Raises `Unreachable`."""
        local = self._places.setdefault(remote, self._folder / f"{len(self._places)}.s")
        if remote in self._carried:
            return local
        if not remote.startswith("/") or _UNFIT.intersection(remote) or not remote.isprintable():
            raise Unreachable(f"ssh cannot carry a socket of the name {remote!r}.")
        local.unlink(missing_ok=True)
        done = self._master("forward", "-L", f"{local}:{remote}")
        if done.returncode:
            raise Unreachable(sentence(self._name, done.stderr.decode(errors="replace")))
        self._carried.add(remote)
        return local

    def drop(self, remote: str) -> None:
        """Carries it no more; its place is not used again."""
        if remote in self._carried:
            self._carried.remove(remote)
            local = self._places[remote]
            self._master("cancel", "-L", f"{local}:{remote}")
            local.unlink(missing_ok=True)

    def close(self) -> None:
        """Ends the connection, if it is ours, and all that was carried over it."""
        process = self._process
        if self._control is not None and self._control.parent != self._folder:
            for remote in list(self._carried):
                self.drop(remote)
        self._carried.clear()
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_LOCALLY_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _options(self, *, prompts: bool) -> tuple[list[str], Path | None]:
        """How to connect; and the socket of the user's own open connection, if there is one."""
        config = self._configuration()
        options = ["-T", "-x", "-a", "-oClearAllForwardings=yes", "-oRemoteCommand=none"]
        options += [] if prompts else ["-oBatchMode=yes"]
        path = config.get("controlpath", "none")
        if path != "none" and self._is_master(Path(path)):
            return options, Path(path)
        options += ["-M", f"-S{self._folder / 'c'}", "-oControlPersist=no"]
        options += [f"-oServerAliveInterval={_ALIVE_S}", "-oServerAliveCountMax=3"]
        if config.get("connecttimeout", "none") == "none":
            options.append(f"-oConnectTimeout={_CONNECT_S}")
        return options, None

    def _configuration(self) -> dict[str, str]:
        """What ssh knows of the host, by its own lower-case names."""
        done = _ran([*command(), "-G", *self._host])
        lines = done.stdout.decode(errors="replace").splitlines()
        return {name: value for name, _, value in (line.partition(" ") for line in lines)}

    def _is_master(self, control: Path) -> bool:
        self._control = control
        return self._master("check").returncode == 0

    def _master(self, request: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        """Asks the open connection; without the configuration, whose forwardings are not meant."""
        words = ["-F", "none", "-S", str(self._control), "-O", request, *arguments, self._host[-1]]
        return _ran([command()[0], *words])

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):  # closed
            if process.stderr is not None:
                while said := process.stderr.readline(4_096):
                    self._said.append(said)


def _ran(words: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Of something that crosses no network; whatever keeps it from running, it has failed."""
    try:
        return subprocess.run(words, capture_output=True, timeout=_LOCALLY_S, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(words, 255, b"", str(error).encode())


def private_folder() -> Path:
    """A new one, for this process alone; those of processes that were killed are removed."""
    base = Path("/tmp") if os.access("/tmp", os.W_OK) else Path(tempfile.gettempdir())  # noqa: S108
    for left in base.glob("gradwatch-ssh-*"):
        _, _, owner = left.name.partition("-ssh-")
        pid = owner.partition("-")[0]
        with contextlib.suppress(OSError):
            if pid.isdecimal() and left.stat().st_uid == os.getuid() and not _exists(int(pid)):
                shutil.rmtree(left)
    return Path(tempfile.mkdtemp(prefix=f"gradwatch-ssh-{os.getpid()}-", dir=base))


def take_away(folder: Path) -> None:
    """Removes it, and what an ending ssh still puts there meanwhile."""
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
