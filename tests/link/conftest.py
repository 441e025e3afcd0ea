"""Real jobs in processes of their own, and watchers that wait for an event instead of a time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from gradwatch.model import Event, Job, Link, Trouble
from gradwatch.sources.live import Live
from gradwatch_agent import runfile, wire

DEADLINE_S = 20.0
"""Far beyond what anything here takes: only a hang reaches it."""


class JobProcess:
    """tests/link/job.py as a child; `tell` sends a command and returns the answer."""

    def __init__(self, run: str, name: str, log: str = "", prefix: Sequence[str] = ()) -> None:
        script = Path(__file__).with_name("job.py")
        self.run, self.name = run, name
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-W", "error", str(script), run, name, log],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.pid = self.process.pid
        assert self.line() == "ready"

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, command: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(command + "\n")
        return self.line()

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def end(self) -> str:
        """Lets the job run out, and returns what it wrote to stderr."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(DEADLINE_S)
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def kill(self) -> None:
        """As the out-of-memory killer does."""
        self.process.kill()
        self.process.wait(DEADLINE_S)

    def clear(self) -> None:
        self.signal(signal.SIGCONT) if self.process.poll() is None else None
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


class Watcher:
    """A live source whose events are kept, and folded into jobs."""

    def __init__(self, targets: list[str] | None = None, places: list | None = None) -> None:
        self.events: list[tuple[str, Event]] = []
        self.jobs: dict[str, Job] = {}
        self.may_read = threading.Event()
        self.may_read.set()
        self._changed = threading.Condition()
        self.source = Live(self._deliver, targets, places=places)
        self.source.start()

    def _deliver(self, key: str, event: Event) -> None:
        self.may_read.wait(DEADLINE_S)
        with self._changed:
            self.events.append((key, event))
            self.jobs.setdefault(key, Job(key)).fold(event)
            self._changed.notify_all()

    def until(self, condition: Callable[[], bool], deadline_s: float = DEADLINE_S) -> None:
        """Waits for the event that makes it true."""
        with self._changed:
            assert self._changed.wait_for(condition, deadline_s), self.summary()

    def of(self, key: str, *kinds: type) -> list[Event]:
        return [event for whose, event in self.events if whose == key and isinstance(event, kinds)]

    def covered(self, key: str) -> int:
        """How many iterations were told of."""
        return sum(e.count for e in self.of(key, wire.Iteration) if isinstance(e, wire.Iteration))

    def is_up(self, key: str) -> bool:
        return key in self.jobs and self.jobs[key].link.up

    def beat(self, key: str) -> wire.Beat:
        """The last sign of life; one of zeros before the first, which may come after it is up."""
        return self.jobs[key].beat or wire.Beat(at=0.0)

    def summary(self) -> str:
        told = [e for _, e in self.events if isinstance(e, Link | Trouble | wire.Bye)]
        return f"{ {k: (j.state, j.number) for k, j in self.jobs.items()} } {told[-5:]}"


@pytest.fixture(autouse=True)
def run_directory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place of our own for run files; short, since a socket's path has a limit."""
    with tempfile.TemporaryDirectory(prefix="gw") as base:
        monkeypatch.setenv("GRADWATCH_RUN_DIR", f"{base}/gradwatch")
        yield runfile.directory()


@pytest.fixture
def start_job() -> Iterator[Callable[..., JobProcess]]:
    jobs: list[JobProcess] = []

    def start(
        run: str = "r1", name: str = "toy", log: str = "", prefix: Sequence[str] = ()
    ) -> JobProcess:
        jobs.append(JobProcess(run, name, log, prefix))
        return jobs[-1]

    yield start
    for job in jobs:
        job.clear()


@pytest.fixture
def watch() -> Iterator[Callable[..., Watcher]]:
    watchers: list[Watcher] = []

    def start(targets: list[str] | None = None, places: list | None = None) -> Watcher:
        watchers.append(Watcher(targets, places))
        return watchers[-1]

    yield start
    for watcher in watchers:
        watcher.may_read.set()
        watcher.source.stop()
