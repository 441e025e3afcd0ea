"""Jobs under the agent: in the test's own process, overheard, or as children with a log."""

from __future__ import annotations

import contextlib
import gc
import os
import runpy
import shutil
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
import torch

import gradwatch_agent
from gradwatch_agent import session, wire
from gradwatch_agent.diagnosis import searches
from gradwatch_agent.loop.budget import Budget

from ..nursery import QUIET, Nursery, Start, interpreter
from . import leaks
from .cases import told, unload


class Said:
    """What the agent posted, in order."""

    def __init__(self) -> None:
        self.messages: list[wire.Message] = []
        self.beat: Callable[[], wire.Beat]

    def of(self, kind: type) -> list:
        return [message for message in self.messages if isinstance(message, kind)]

    @property
    def iterations(self) -> list[wire.Iteration]:
        return self.of(wire.Iteration)

    @property
    def findings(self) -> list[wire.Finding]:
        return self.of(wire.Finding)


def _recorder(said: Said) -> type:
    class Recorder:
        """Has a publisher's face; no thread, no socket, and no memory looked at."""

        def __init__(self, *, hello, beat, **_others) -> None:
            said.messages.append(hello)
            said.beat = lambda: beat(0, 0, 0)

        def start(self) -> None:
            pass

        def post(self, message: wire.Message) -> None:
            said.messages.append(message)

        def flush(self, timeout_s: float) -> bool:
            return True

        def stop(self, bye: wire.Bye) -> None:
            said.messages.append(bye)

    return Recorder


@pytest.fixture
def watching(monkeypatch) -> Callable[..., AbstractContextManager[Said]]:
    """`with watching() as said:` runs what follows under the agent, every iteration counted and
    every search made, however slow the machine: what both may take has tests of its own.
    """
    monkeypatch.delenv("GRADWATCH_OFF", raising=False)
    monkeypatch.setenv("GRADWATCH_BUDGET", "1")
    monkeypatch.setattr(searches, "_ALL_S", LIMIT_S)
    monkeypatch.setattr(searches, "_BEFOREHAND_S", LIMIT_S)
    monkeypatch.setattr(Budget, "allows", _all_of_one(Budget.allows))

    @contextlib.contextmanager
    def watching() -> Iterator[Said]:
        said = Said()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session, "Publisher", _recorder(said))
            with gradwatch_agent.watch(name="job"):
                yield said

    return watching


@pytest.fixture
def told_of(watching, tmp_path, monkeypatch):
    """What is told of the text of a program of one file, in whose process no other leaks are."""

    def told_of(text):
        unload(leaks, monkeypatch)
        script = tmp_path / "job.py"
        script.write_text(text)
        os.utime(script, (1_000_000_000, 1_000_000_000))  # older than the process: its text is read
        return told(watching, lambda: runpy.run_path(str(script), run_name="__main__"))

    return told_of


def _all_of_one(allows: Callable[..., bool]) -> Callable[..., bool]:
    """A budget of all the time there is allows everything."""

    def allowed(budget: Budget, now: float, *, calm: bool = True) -> bool:
        return budget._allowed >= 1 or allows(budget, now, calm=calm)

    return allowed


@pytest.fixture(autouse=True, scope="module")
def _of_no_concern() -> None:
    """What earlier modules have left, syntax trees by the million, is no longer gone through by the
    collector, nor by the agent where it asks for all objects.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


TAP = Path(__file__).with_name("tap.py")
LIMIT_S = 100
KEPT = "ended"
"""What is there for `gradwatch report`, by and by."""
_FINDINGS = msgspec.json.Decoder(wire.Finding)


@dataclass(frozen=True)
class Ended:
    """What a child left behind."""

    code: int
    out: str
    err: str
    findings: list[wire.Finding]
    """Those in the log that the agent writes."""
    run_directory: list[str]
    """Names of the files left there, but for what is meant to be."""
    said: list[wire.Message]
    """All messages in order, where the child was tapped."""

    def of(self, kind: type) -> list:
        return [message for message in self.said if isinstance(message, kind)]


class Children:
    """Runs scripts, each with a run directory and a log of its own."""

    def __init__(self, folder: Path, start: Start) -> None:
        self._folder, self._start = folder, start
        self.run_directory = folder / "gradwatch"

    def run(self, text: str, *, tapped: bool = False, **variables: str) -> Ended:
        script = self._folder / "train.py"
        script.write_text(textwrap.dedent(text))
        log, out = self._folder / "log.jsonl", self._folder / "said.jsonl"
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("GRADWATCH_")}
        mine = {"GRADWATCH_RUN_DIR": str(self.run_directory), "GRADWATCH_LOG": str(log)}
        tap = [str(TAP), str(out)] if tapped else []
        environment = inherited | mine | QUIET | {"OMP_NUM_THREADS": "1"} | variables
        done = self._start([*tap, str(script)], environment, LIMIT_S)
        left = self.run_directory.iterdir() if self.run_directory.exists() else ()
        return Ended(
            done.returncode,
            done.stdout,
            done.stderr,
            _FINDINGS.decode_lines(log.read_bytes()) if log.exists() else [],
            sorted(path.name for path in left if path.name != KEPT),
            _messages(out) if tapped else [],
        )


def _messages(path: Path) -> list[wire.Message]:
    lines = (line for line in path.read_bytes().splitlines() if line != b'{"type":"engine"}')
    decoder = msgspec.json.Decoder(wire.Message)
    return [decoder.decode(line) for line in lines]


@pytest.fixture
def children() -> Iterator[Children]:
    """Each an interpreter of its own, from its start to its end."""
    yield from _children(interpreter)


@pytest.fixture
def forked(nursery: Nursery) -> Iterator[Children]:
    """The same where only what happens in between matters."""
    yield from _children(nursery.run)


@pytest.fixture
def checked(forked: Children, tmp_path: Path) -> Callable[[str], Ended]:
    """What is left behind by the text of a program that is run to its end, as under a check."""

    def checked(text: str) -> Ended:
        script = "import gradwatch_agent.auto\n" + textwrap.dedent(text)
        ended = forked.run(script, GRADWATCH_CHECK="1000000", GRADWATCH_REPORTS=str(tmp_path))
        assert ended.code == 0, ended.err
        return ended

    return checked


def _children(start: Start) -> Iterator[Children]:
    folder = Path(tempfile.mkdtemp(prefix="gw"))  # a socket's path must be short
    yield Children(folder, start)
    shutil.rmtree(folder)
