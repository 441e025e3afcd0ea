"""Dashboards that are stopped, and that lose their terminal."""

import os
import signal

from .terminal import DRAWN, leave, opened


def test_a_dashboard_that_was_stopped_is_drawn_anew_and_can_be_left(start_job):
    start_job()
    with opened() as terminal:
        terminal.shows(b"toy")
        for _ in range(3):
            terminal.process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED)
            terminal.process.send_signal(signal.SIGCONT)
            terminal.shows(DRAWN, b"toy")
        terminal.type(b" ")  # all that read keys would wake, and all but one wait on
        terminal.shows(b"go on")
        leave(terminal)
        assert terminal.end() == 0
        assert terminal.is_as_it_was()


def test_a_dashboard_ends_with_the_terminal_of_its_session(start_job):
    start_job()
    with opened() as terminal:
        terminal.shows(b"live")
        terminal.hang_up()
        assert terminal.end() in (-signal.SIGHUP, 129)  # a shell calls both 129
