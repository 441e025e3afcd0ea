"""Backwards that fail by the same call time and again are explained anew while that is cheap."""

from __future__ import annotations

import time

import pytest

from gradwatch_agent.diagnosis.repeated import Explained, Repeated
from gradwatch_agent.lines.sites import Site

HERE, THERE = ((Site("train.py", line, "step"),) for line in (8, 9))


@pytest.fixture
def asked(monkeypatch):
    """`asked(repeated, call)` tells how often it was found out so far; each time takes 0.3 s."""
    clock, times = [0.0], []
    monkeypatch.setattr(time, "thread_time", lambda: clock[0])

    def asked(repeated: Repeated, call, kind: str = "second-backward") -> str:
        def why() -> Explained:
            clock[0] += 0.3
            times.append(call)
            return Explained(None, f"answer {len(times)}")

        return repeated.explain(kind, call, why).word

    return asked


def test_each_is_explained_anew_until_two_seconds_were_spent(asked):
    repeated = Repeated(thorough=False)
    words = [asked(repeated, HERE) for _ in range(12)]
    assert words == [f"answer {number}" for number in range(1, 8)] + ["answer 7"] * 5


def test_what_was_never_explained_is_whatever_was_spent(asked):
    repeated = Repeated(thorough=False)
    for _ in range(12):
        asked(repeated, HERE)
    assert asked(repeated, THERE) == "answer 8"
    assert asked(repeated, HERE, "inplace-modified") == "answer 9"
    assert asked(repeated, HERE) == "answer 7"


def test_a_check_explains_each(asked):
    repeated = Repeated(thorough=True)
    assert [asked(repeated, HERE) for _ in range(12)][-1] == "answer 12"


def test_calls_without_end_are_not_remembered_without_end(asked):
    repeated = Repeated(thorough=False)
    for line in range(1_000):
        asked(repeated, (Site("train.py", line, "step"),))
    assert len(repeated._known) <= 64
