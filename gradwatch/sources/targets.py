"""Which jobs a user means: by PID or name here, on another machine, behind a port, or calling.

Owns the words of a TARGET and their match against run files. Must not know sockets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from gradwatch_agent import remains, runfile
from gradwatch_agent.runfile import RunFile


class TargetNotFound(LookupError):
    """No running job is what the user named; says what runs instead."""


class BadTarget(ValueError):
    """The words are no target."""


@dataclass(frozen=True, slots=True)
class Far:
    """A machine as ssh is told of it; `name` as users are."""

    name: str
    port: int | None = None

    @property
    def arguments(self) -> list[str]:
        """Of ssh, the destination last."""
        return [*(["-p", str(self.port)] if self.port else []), self.name]


@dataclass(slots=True)
class Targets:
    """What was named, sorted by where it is."""

    here: list[str]
    far: dict[Far, list[str]]
    """Jobs by machine; none: every job there."""
    tcp: list[str]
    """Endpoints."""
    listen: list[tuple[str, int]]
    """Where to wait for jobs that call."""


def parse(words: Sequence[str]) -> Targets:
    """Raises `BadTarget`."""
    found = Targets([], {}, [], [])
    everything: set[Far] = set()
    for word in words:
        if "://" not in word:
            found.here.append(word)
            continue
        url = _split(word)
        if url.scheme == "ssh":
            far = Far(_destination(word, url), url.port)
            job = unquote(url.path.strip("/"))
            found.far.setdefault(far, []).extend([job] if job else [])
            everything |= set() if job else {far}
        elif url.scheme == "tcp" and url.hostname and url.port:
            found.tcp.append(f"tcp://{url.netloc}")
        elif url.scheme == "listen" and url.hostname and url.port is not None:
            found.listen.append((url.hostname, url.port))
        else:
            raise BadTarget(
                f"{word}: a target is a PID, a job's name, ssh://[user@]host[:port][/job], "
                "tcp://host:port, or listen://host:port for jobs that call."
            )
    found.far.update((far, []) for far in everything)
    return found


def _split(word: str) -> SplitResult:
    try:
        url = urlsplit(word)
        _ = url.port
    except ValueError as error:
        raise BadTarget(f"{word}: {error}.") from None
    return url


def _destination(word: str, url: SplitResult) -> str:
    """Nothing that ssh could take for an option, nor a shell for more than a name."""
    host, user = url.hostname or "", url.username or ""
    fit = host and word.isprintable() and not any(c.isspace() for c in url.netloc)
    if not fit or host.startswith("-") or user.startswith("-") or url.password is not None:
        raise BadTarget(f"{word}: for ssh a target is ssh://[user@]host[:port][/job].")
    host = _as_written(url.netloc)
    return f"{user}@{host}" if user else host


def _as_written(netloc: str) -> str:
    """The host; `urlsplit` makes it lower case, which in ssh's configuration may be another."""
    place = netloc.rpartition("@")[2]
    _, bracket, address = place.partition("[")
    return address.partition("]")[0] if bracket else place.partition(":")[0]


def matches(entry: RunFile, targets: Collection[str]) -> bool:
    """Whether the job is meant: by its PID or its name, as one of its ranks, or as any job."""
    return not targets or str(entry.pid) in targets or entry.job in targets


def resolve(targets: Sequence[str]) -> list[RunFile]:
    """The running jobs meant, all if none is named.

    Raises `TargetNotFound` if one of the targets means none, `UnsafeDirectory` as `running` does.
    """
    running = runfile.running()
    for target in targets:
        if not any(matches(entry, [target]) for entry in running):
            raise TargetNotFound(_sentence(target, running))
    return [entry for entry in running if matches(entry, targets)]


def among(running: Sequence[RunFile], where: str) -> str:
    """What runs instead, as the end of a sentence."""
    if not running:
        return f"; no job with a gradwatch agent runs {where}"
    return f"; running: {', '.join(f'{e.job} ({e.pid})' for e in running)}"


def _sentence(target: str, running: Sequence[RunFile]) -> str:
    if target.isdecimal() and runfile.process_started(int(target)) is not None:
        missing = f"Process {target} has no gradwatch agent in it"
    else:
        missing = f"No job {target!r} runs here"
    ended = any(one.is_of(target) for one in remains.kept())
    report = f" What was found in one that has ended: gradwatch report {target}." if ended else ""
    return f"{missing}{among(running, 'on this machine')}.{report}"
