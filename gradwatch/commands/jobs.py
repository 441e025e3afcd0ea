"""The jobs a verb is asked about: which run here, and what a TARGET means, here or elsewhere.

Owns the refusals that every verb with targets shares. Must not know textual.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn, TypeVar

from gradwatch.commands import errors
from gradwatch.commands.following import MakeSource
from gradwatch.sources.targets import BadTarget, TargetNotFound, Targets, parse, resolve
from gradwatch_agent import runfile

if TYPE_CHECKING:
    from gradwatch.sources.callers import Callers
    from gradwatch.sources.host import Host
    from gradwatch.sources.keys import ViewerKey
    from gradwatch.sources.place import Place
    from gradwatch.sources.port import Port

_T = TypeVar("_T")


def running() -> list[runfile.RunFile]:
    """The jobs of this user on this machine, oldest first."""
    return _refusing(runfile.running)


@contextlib.contextmanager
def places(
    words: Sequence[str], key: Path | None = None, *, prompts: bool = False
) -> Iterator[list[Place]]:
    """Where the targets are, which must run now; without any, this machine, later jobs too.

    `prompts`: ssh may ask for a password. What was set up is taken away in the end.
    """
    from gradwatch.sources.here import Here

    targets = _refusing(lambda: parse(words))
    ports: list[Port | Callers] = [*_ports(targets, key), *_callers(targets, key)]
    _refusing(lambda: resolve(targets.here))
    opened: list[Place] = [Here(targets.here)] if targets.here or not words else []
    with _ending_in_order() if targets.far or ports else contextlib.ExitStack() as closing:
        hosts = _hosts(targets)
        for host in hosts:
            closing.callback(host.stop)
        for port in ports:
            closing.callback(port.stop)
        _refusing(lambda: _connect(hosts, ports, prompts=prompts))
        yield [*opened, *hosts, *ports]


def without_agent(words: Sequence[str]) -> list[int]:
    """Those processes named by their PID that run without an agent."""
    pids = [int(word) for word in words if word.isdecimal()]
    known = {entry.pid for entry in running()} if pids else set()
    return [pid for pid in pids if pid not in known and runfile.process_started(pid) is not None]


def enter(pids: Sequence[int]) -> None:
    """Puts the agent into those processes."""
    from gradwatch.entering import CannotEnter, enter

    try:
        for pid in pids:
            enter(pid)
    except CannotEnter as error:
        raise errors.NotFound(str(error)) from None


def source(places: Sequence[Place]) -> MakeSource:
    """Follows what is to be followed there."""
    from gradwatch.sources.live import Live

    return lambda deliver: Live(deliver, places=places)


def _hosts(targets: Targets) -> list[Host]:
    if not targets.far:
        return []
    from gradwatch.sources.host import Host

    return [Host(far, jobs) for far, jobs in targets.far.items()]


def _ports(targets: Targets, key: Path | None) -> list[Port]:
    if not targets.tcp:
        return []
    from gradwatch.sources.port import Port

    shown = _shown(key, targets.tcp[0], "a job on TCP lets in nobody without a key")
    return [Port(endpoint, shown) for endpoint in targets.tcp]


def _callers(targets: Targets, key: Path | None) -> list[Callers]:
    if not targets.listen:
        return []
    from gradwatch.sources.callers import Callers

    place = "listen://{}:{}".format(*targets.listen[0])
    shown = _shown(key, place, "a job that calls talks to nobody without a key")
    return [Callers(address, shown) for address in targets.listen]


def _shown(key: Path | None, target: str, why: str) -> ViewerKey:
    """What lets us in. Raises `Unusable` if there is none."""
    from gradwatch.sources import keys

    if key is None:
        raise errors.Unusable(f"{target}: {why}: --key FILE (made by gradwatch keygen).")
    try:
        return keys.read(key)
    except keys.BadKey as error:
        raise errors.Unusable(f"{error}.") from None


def _connect(hosts: Sequence[Host], ports: Sequence[Port | Callers], *, prompts: bool) -> None:
    """All at once, but for hosts that may ask the user something: those one by one."""
    with ThreadPoolExecutor(1 if prompts else 16) as pool:
        started = [pool.submit(host.start, prompts=prompts) for host in hosts]
        started += [pool.submit(port.start) for port in ports]
        try:
            for one in started:
                one.result()
        except BaseException:  # also of a user who will not wait: what still tries is ended
            for host in hosts:
                host.stop()
            raise


@contextlib.contextmanager
def _ending_in_order() -> Iterator[contextlib.ExitStack]:
    """Whatever ends the process, a signal too, it takes away first what it set up.

    Whoever closes a terminal often sends SIGHUP besides the kernel's, and a dashboard may see that
    its terminal is gone before either comes: what has begun to be taken away is not broken off.
    """
    meant = (signal.SIGTERM, signal.SIGHUP)

    def deafen() -> None:
        for one in meant:
            signal.signal(one, signal.SIG_IGN)

    def leave(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001
        deafen()
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in meant}
    try:
        with contextlib.ExitStack() as closing:
            try:
                yield closing
            finally:
                deafen()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _refusing(look: Callable[[], _T]) -> _T:
    from gradwatch.sources.place import Unreachable

    try:
        return look()
    except BadTarget as error:
        raise errors.Unusable(str(error)) from None
    except (TargetNotFound, Unreachable) as error:
        raise errors.NotFound(str(error)) from None
    except runfile.UnsafeDirectory as error:
        raise errors.NotFound(f"the directory of the jobs cannot be trusted: {error}.") from None
