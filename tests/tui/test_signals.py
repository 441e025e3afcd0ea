"""Signals that end a dashboard, wherever they come."""

from __future__ import annotations

import signal

import pytest

from gradwatch.commands.dashboard import heard_in_turn

from . import histories
from .stage import staged


def _leave(number: int, frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)  # as whoever takes away what was set up
    raise SystemExit(128 + number)


@pytest.fixture
def is_left():
    before = signal.signal(signal.SIGHUP, _leave)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("is_left")
async def test_one_that_ends_the_process_breaks_off_nothing():
    async with staged(histories.chain().keyed()) as stage:
        with heard_in_turn(stage.app):
            signal.raise_signal(signal.SIGHUP)
            assert "GRAPH GROWS" in stage.text
            await stage.pilot.pause()
    assert stage.app.return_code == 129
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


async def test_one_that_ends_nothing_is_heard_too():
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    async with staged(histories.chain().keyed()) as stage:
        with heard_in_turn(stage.app):
            signal.raise_signal(signal.SIGTERM)
            await stage.pilot.pause()
            assert heard == [signal.SIGTERM]
        assert stage.app.is_running
        signal.raise_signal(signal.SIGTERM)
        assert len(heard) == 2
    signal.signal(signal.SIGTERM, before)
