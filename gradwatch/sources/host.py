"""The jobs of this user on another machine, reached over the user's own ssh.

Owns the thread that keeps the connection up and knows which of them run. What it carries over is
the tunnel's matter, what the far side says the listing's.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Collection, Sequence
from typing import Final

import msgspec

from gradwatch.sources.feed import Silence
from gradwatch.sources.keys import ViewerKey
from gradwatch.sources.listing import LONGEST, SCRIPT, Listing, listings
from gradwatch.sources.place import Unreachable
from gradwatch.sources.targets import Far, among, matches
from gradwatch.sources.tunnel import Tunnel, private_folder, take_away
from gradwatch_agent.runfile import RunFile

_AGAIN_S: Final = 0.5
"""Before a broken connection is tried again; then twice as long each time."""

_AGAIN_MAX_S: Final = 30.0

_KNOCKS: Final = 8
_KNOCK_S: Final = 1.0
"""For the first byte of a job there; one that is stopped takes longer, and is let pass."""


class Host:
    """Every job of the user there, or the targets; later ones too. A `Place`.

    >>> host = Host(far, ["run-7"])
    >>> host.start(prompts=True)   # Unreachable
    """

    key: ViewerKey | None = None
    called_at = ""

    def __init__(self, far: Far, targets: Collection[str]) -> None:
        self.name, self._targets = far.name, frozenset(targets)
        self._folder = private_folder()
        self._tunnel = Tunnel(far.name, far.arguments, self._folder)
        self._carried: tuple[RunFile, ...] = ()
        self._alive: frozenset[str] = frozenset()
        self._over: set[str] = set()
        self._remote: dict[str, str] = {}
        self._why, self._first = "", threading.Event()
        self._listing: Listing | None = None
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, *, prompts: bool) -> None:
        """Connects; ssh may ask for passwords, if `prompts`. Raises `Unreachable`."""
        self._thread = threading.Thread(
            target=self._run, args=(prompts,), name="gradwatch-ssh", daemon=True
        )
        self._thread.start()
        try:
            self._first.wait()
            self._check(self._listing)
            self._knock()
        except BaseException:
            self.stop()
            raise

    def jobs(self) -> Sequence[RunFile]:
        """Those whose socket has been carried over."""
        return self._carried

    def alive(self, entry: RunFile, *, silent: bool) -> bool:  # noqa: ARG002
        """As the far side last said; while nothing is heard of it, nothing has ended."""
        return bool(self._why) or entry.run in self._alive

    def silence(self, entry: RunFile) -> Silence:
        """Why the connection is broken, if it is; else whether the job there was stopped."""
        listing = self._listing
        if not self._why and listing is not None and entry.run in listing.stopped:
            return Silence.of_stopped(entry.pid)
        return Silence(self._why.rstrip("."))

    def ended(self, entry: RunFile) -> None:
        """Its socket is carried no more."""
        self._over.add(entry.run)

    def stop(self) -> None:
        """Ends the connection, and leaves nothing behind. Harmless when repeated."""
        self._stopping.set()
        self._tunnel.close()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_AGAIN_S)
        take_away(self._folder)

    def _check(self, listing: Listing | None) -> None:
        """Raises `Unreachable` if there is none, or one of the targets means no job there."""
        if listing is None:
            raise Unreachable(self._why)
        for target in self._targets:
            if any(matches(entry, [target]) for entry in listing.running):
                continue
            if any(matches(entry, [target]) for entry in listing.ended):
                raise Unreachable(f"Job {target!r} on {self.name} has ended: its process is gone.")
            raise Unreachable(
                f"No job {target!r} runs on {self.name}{among(listing.running, 'there')}."
            )

    def _knock(self) -> None:
        """Raises `Unreachable` if no job's socket comes through; ssh tells only who tries."""
        tried = self._carried[:_KNOCKS]
        if tried and not any(_answers(entry.live) for entry in tried):
            raise Unreachable(
                f"{self.name} can be reached, its jobs cannot: it may not let ssh forward sockets "
                "(AllowStreamLocalForwarding)."
            )

    def _run(self, prompts: bool) -> None:  # noqa: FBT001
        pause_s = _AGAIN_S
        while not self._stopping.is_set():
            try:
                self._tunnel.open(SCRIPT, prompts=prompts)
                if self._stopping.is_set():  # meanwhile; there was nothing to be closed then
                    self._tunnel.close()
                for listing in listings(self._tunnel.lines(LONGEST)):
                    pause_s = _AGAIN_S
                    self._take(listing)
                self._why = self._tunnel.why()
            except Unreachable as error:
                self._why = str(error)
            prompts = False  # the screen is not ssh's any more
            if not self._first.is_set():
                self._first.set()
                return
            self._tunnel.close()
            self._stopping.wait(pause_s)
            pause_s = min(2 * pause_s, _AGAIN_MAX_S)

    def _take(self, listing: Listing) -> None:
        """Carries over what is new, and lets go of what is over."""
        meant = [entry for entry in listing.running if matches(entry, self._targets)]
        self._alive = frozenset(entry.run for entry in meant)
        self._carried = tuple(self._all_here([e for e in meant if e.run not in self._over]))
        for run in self._over & self._remote.keys():
            self._tunnel.drop(self._remote.pop(run))
        self._listing, self._why = listing, ""
        self._first.set()

    def _all_here(self, entries: Sequence[RunFile]) -> list[RunFile]:
        """Raises `Unreachable` if none of them can be carried over; one that cannot is left."""
        here: list[RunFile] = []
        failure: Unreachable | None = None
        for entry in entries:
            try:
                here.append(self._here(entry))
            except Unreachable as error:  # noqa: PERF203  as many as there are jobs
                failure = error
        if failure is not None and not here:
            raise failure
        return here

    def _here(self, entry: RunFile) -> RunFile:
        """The same job, its socket on this side."""
        remote = self._remote[entry.run] = entry.live.removeprefix("ipc://")
        return msgspec.structs.replace(entry, live=f"ipc://{self._tunnel.carry(remote)}")


def _answers(endpoint: str) -> bool:
    """Whether something is at the other end: zmq sends its greeting unasked."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(_KNOCK_S)
        try:
            probe.connect(endpoint.removeprefix("ipc://"))
            return probe.recv(1) != b""
        except TimeoutError:
            return True
        except OSError:
            return False
