"""Jobs of every kind under the live agent: in the test's own process, or as real processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
import torch

from gradwatch_agent.loop.budget import Budget
from gradwatch_agent.running import begin_instead, end_instead
from gradwatch_agent.session import Session
from gradwatch_agent.settings import Settings

from . import probe
from .ran import Ran

HERE = Path(__file__).parent
LIMIT_S = 100
_LINES = msgspec.json.Decoder(probe.Line)


class _Ear:
    """Hears the session of this process."""

    def __init__(self, ran: Ran) -> None:
        self._ran = ran

    def post(self, message) -> None:
        self._ran.lines.append(probe.line(message))

    stop = post


@pytest.fixture
def watched(
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Callable[[Callable[[], object]], Ran]]:
    """`watched(train)` runs it under a live session, with time to count every iteration."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)

    def watched(train: Callable[[], object]) -> Ran:
        torch.manual_seed(0)
        ran = Ran()
        remove = probe.install(ran.lines.append)
        monkeypatch.setattr(Budget, "allows", lambda *_, **__: True)
        session = Session(Settings(name="job", budget=1.0), ear=_Ear(ran))
        before = begin_instead(session)
        try:
            train()
        finally:
            end_instead(session, before)
            remove()
        assert session.off == ()
        return ran

    yield watched
    torch.set_num_threads(threads)


@dataclass(frozen=True)
class Ended:
    """A job's processes that said something, in the order of their ranks."""

    code: int
    out: str
    err: str
    processes: list[Ran]


class Jobs:
    """Runs scripts of tests/jobs/scripts, each with a run directory of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def environment(self) -> tuple[Path, dict[str, str]]:
        """For a process that is overheard, and where its words go."""
        lines = Path(tempfile.mkdtemp(dir=self._folder))
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("GRADWATCH_")}
        return lines, inherited | {
            "XDG_RUNTIME_DIR": str(self._folder),
            "PYTHONPATH": os.pathsep.join([str(HERE / "inside"), os.environ.get("PYTHONPATH", "")]),
            "JOB_TESTS": str(HERE),
            "JOB_LINES": str(lines),
            "GRADWATCH_BUDGET": "1",
            "OMP_NUM_THREADS": "1",
        }

    def run(self, script: str, *arguments: str, launcher: tuple[str, ...] = (), **env) -> Ended:
        lines, environment = self.environment()
        done = subprocess.run(
            [sys.executable, *launcher, str(HERE / "scripts" / script), *arguments],
            env=environment | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr, self.said(lines))

    def said(self, lines: Path) -> list[Ran]:
        """The processes that had an agent, in the order of their ranks."""
        ran = [Ran(_LINES.decode_lines(file.read_bytes())) for file in lines.iterdir()]
        watched = [process for process in ran if process.of(probe.wire.Hello)]
        return sorted(watched, key=lambda process: process.hello.rank)


@pytest.fixture(scope="module")
def jobs() -> Iterator[Jobs]:
    folder = Path(tempfile.mkdtemp(prefix="gw"))  # a socket's path must be short
    yield Jobs(folder)
    shutil.rmtree(folder)


def line_of(script: str, mark: str = "# the leak") -> tuple[str, int]:
    """Where a script's leak is marked."""
    path = HERE / "scripts" / script
    lines = path.read_text().splitlines()
    return str(path), next(n for n, text in enumerate(lines, 1) if text.endswith(mark))
