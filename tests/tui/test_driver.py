"""What must not outlive a terminal, though nothing tells that it has gone."""

from __future__ import annotations

import contextlib
import os
import pty
import sys

from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread

from gradwatch.tui.terminal_driver import OverOrGone, Patient


def test_keys_are_read_until_the_terminal_is_gone(monkeypatch):
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as keys:
        monkeypatch.setattr(sys, "__stdin__", keys)
        over = OverOrGone()
        assert not over.is_set()
        os.close(ours)
        assert over.is_set()


def test_a_terminal_that_is_gone_keeps_nobody_waiting_who_draws():
    ours, theirs = pty.openpty()
    os.close(ours)
    with contextlib.suppress(OSError), os.fdopen(theirs, "w") as screen:
        writer = WriterThread(Patient(screen))
        writer.start()
        for _ in range(2 * MAX_QUEUED_WRITES):
            writer.write("a frame\n" * 2_000)
            assert writer.is_alive()
        writer.stop()
        assert not writer.is_alive()
