"""How a watcher learns that a job is gone, silent, or back."""

from __future__ import annotations

import os
import signal

import pytest

from gradwatch.model import Link
from gradwatch_agent import runfile, wire

SEEN_WITHIN_S = 3.0
"""What is promised of a killed job. It takes 0.3 to 1 s."""


def test_a_killed_job_is_lost(start_job, watch):
    job = start_job()
    job.tell("post 10")
    watcher = watch()
    watcher.until(lambda: watcher.covered("r1") == 10)
    job.kill()
    watcher.until(lambda: not watcher.is_up("r1"), SEEN_WITHIN_S)

    assert watcher.jobs["r1"].link.why == f"its process {job.pid} is gone"
    assert watcher.jobs["r1"].state == "lost"


def test_a_killed_job_is_lost_though_a_child_holds_its_connections(start_job, watch):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    child = int(job.tell("fork stay"))
    try:
        job.kill()
        watcher.until(lambda: not watcher.is_up("r1"), SEEN_WITHIN_S)
    finally:
        os.kill(child, signal.SIGKILL)

    assert watcher.jobs["r1"].state == "lost"


def stopped(pid: int) -> str:
    return f"process {pid} is stopped; `kill -CONT {pid}` lets it go on"


def test_a_stopped_job_is_paused_and_comes_back(start_job, watch):
    job = start_job()
    job.tell("post 10")
    watcher = watch()
    watcher.until(lambda: watcher.covered("r1") == 10)
    job.signal(signal.SIGSTOP)
    watcher.until(lambda: not watcher.is_up("r1"))

    assert watcher.jobs["r1"].state == "paused"
    assert watcher.jobs["r1"].link.why == stopped(job.pid)

    job.signal(signal.SIGCONT)
    watcher.until(lambda: watcher.is_up("r1"))
    job.tell("post 10")
    watcher.until(lambda: watcher.covered("r1") == 20)

    assert [e.number for e in watcher.of("r1", wire.Iteration)] == list(range(20))
    assert watcher.jobs["r1"].state == "live"


def test_a_job_stopped_before_anyone_came_is_joined_when_it_goes_on(start_job, watch):
    job = start_job()
    job.signal(signal.SIGSTOP)
    watcher = watch()
    watcher.until(lambda: "r1" in watcher.jobs)

    assert watcher.jobs["r1"].state == "joining"
    assert watcher.jobs["r1"].link.why == stopped(job.pid)

    job.signal(signal.SIGCONT)
    watcher.until(lambda: watcher.is_up("r1"))

    assert watcher.jobs["r1"].name == "toy"


def test_a_farewell_is_no_loss(start_job, watch):
    job = start_job()
    job.tell("post 10")
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    job.tell("post 10")
    job.tell("stop")
    watcher.until(lambda: not watcher.is_up("r1"))

    assert watcher.jobs["r1"].state == "finished"
    assert watcher.covered("r1") == 20
    assert watcher.jobs["r1"].findings == {}
    assert isinstance(watcher.of("r1", object)[-1], Link)


def test_a_stop_leaves_no_files_behind(start_job, run_directory):
    job = start_job()
    assert len(list(run_directory.iterdir())) == 2
    job.tell("stop")

    assert list(run_directory.iterdir()) == []
    assert job.tell("stop") == "done"
    assert job.tell("post 10") == "a flush took too long"
    assert job.end() == ""


def test_a_stop_does_not_wait_for_a_viewer_that_does_not_read(start_job, watch, run_directory):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    watcher.may_read.clear()
    job.tell("fat 400")

    assert job.tell("stop") == "done"
    assert list(run_directory.iterdir()) == []


def test_what_a_killed_job_leaves_behind_is_cleared_away(start_job, run_directory):
    job = start_job()
    job.kill()

    assert runfile.running() == []
    assert list(run_directory.iterdir()) == []


@pytest.mark.parametrize("how", ["exit", "at-once"])
def test_a_forked_child_is_silent_and_takes_nothing_along(start_job, watch, how, run_directory):
    job = start_job()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))

    assert job.tell(f"fork {how}") == "ended 0"
    assert len(list(run_directory.iterdir())) == 2

    job.tell("post 3")
    watcher.until(lambda: watcher.covered("r1") == 3)
    job.tell("stop")
    watcher.until(lambda: watcher.jobs["r1"].bye is not None)

    assert watcher.jobs["r1"].findings == {}
    assert job.end() == ""
