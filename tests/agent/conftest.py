"""Watches a job inside the test's own process: the agent with its publisher replaced by a list."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
import torch

import gradwatch_agent
from gradwatch_agent import session, wire

GRAVE = ("warning", "critical")


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
    def grave(self) -> list[wire.Finding]:
        """Findings at warning or above."""
        return [finding for finding in self.of(wire.Finding) if finding.level in GRAVE]


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
    """`with watching() as said:` runs what follows under the agent, every iteration counted."""
    monkeypatch.delenv("GRADWATCH_OFF", raising=False)
    monkeypatch.setenv("GRADWATCH_BUDGET", "1")

    @contextlib.contextmanager
    def watching() -> Iterator[Said]:
        said = Said()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session, "Publisher", _recorder(said))
            with gradwatch_agent.watch(name="job"):
                yield said

    return watching


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
