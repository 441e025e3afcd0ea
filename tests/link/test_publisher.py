"""The publisher's own promises to the job it runs in."""

from __future__ import annotations

import json
import logging
import os
import threading
from pathlib import Path

import msgspec
import pytest

from gradwatch.model import Trouble
from gradwatch_agent import wire
from gradwatch_agent.alertlog import AlertLog
from gradwatch_agent.link.publisher import Publisher

FINDING = wire.Finding(
    kind="graph-chain",
    level="critical",
    state="raised",
    time="2024-01-01T00:00:00.000Z",
    run="r1",
    job="toy",
    host="here",
    pid=1,
    rank=0,
    iteration=0,
    since_iteration=0,
    message="The loss reaches the graphs of earlier iterations.",
)
BYE = wire.Bye(at=0.0)


@pytest.fixture
def make():
    """A publisher, started; ended with the test."""
    made: list[Publisher] = []

    def start(heart=lambda now: (), log=None) -> Publisher:
        publisher = Publisher(
            hello=wire.Hello(run="r1", job="toy", host="here", pid=os.getpid(), started=0.0),
            heart=heart,
            beat=lambda lost, rejected, viewers: wire.Beat(at=0.0, lost=lost),
            log=log,
        )
        publisher.start()
        made.append(publisher)
        return publisher

    yield start
    for publisher in made:
        publisher.stop(BYE)


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_flushed_finding_is_in_the_log(make, tmp_path):
    publisher = make(log=AlertLog(tmp_path / "alerts.jsonl"))
    publisher.post(FINDING)

    assert publisher.flush(10)
    assert [line["kind"] for line in lines(tmp_path / "alerts.jsonl")] == ["graph-chain"]


def test_what_was_flushed_outlives_a_job_that_ends_at_once(start_job, tmp_path):
    job = start_job(log=str(tmp_path / "alerts.jsonl"))
    assert job.tell("die") == ""

    assert [line["kind"] for line in lines(tmp_path / "alerts.jsonl")] == ["graph-chain"]


def test_what_was_posted_before_the_stop_is_told_and_logged(make, watch, tmp_path):
    publisher = make(log=AlertLog(tmp_path / "alerts.jsonl"))
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    for number in range(40):
        publisher.post(wire.Iteration(number=number, at=0.0))
    publisher.post(FINDING)
    publisher.stop(wire.Bye(at=0.0, reason="crashed", error="RuntimeError: boom"))
    watcher.until(lambda: watcher.jobs["r1"].bye is not None)

    assert watcher.covered("r1") == 40
    assert watcher.jobs["r1"].state == "crashed"
    assert len(lines(tmp_path / "alerts.jsonl")) == 1


def test_what_the_heart_returns_is_posted(make, watch, tmp_path):
    messages = iter([[wire.Memory(at=1.0, iteration=0, rss_bytes=7), FINDING]])
    make(heart=lambda now: next(messages, []), log=AlertLog(tmp_path / "alerts.jsonl"))
    watcher = watch()
    watcher.until(lambda: "r1" in watcher.jobs and "graph-chain" in watcher.jobs["r1"].findings)

    assert [sample.rss_bytes for sample in watcher.jobs["r1"].memory] == [7]
    assert len(lines(tmp_path / "alerts.jsonl")) == 1


def test_a_failure_switches_it_off_with_one_line(make, caplog, run_directory):
    failed = threading.Event()

    def heart(now: float) -> list[wire.Message]:
        failed.set()
        raise KeyError("a defect")

    publisher = make(heart=heart)
    assert failed.wait(10)
    publisher._thread.join(10)
    publisher.post(FINDING)
    publisher.stop(BYE)

    assert not publisher.flush(10)
    assert isinstance(publisher.failure, KeyError)
    assert caplog.messages == ["gradwatch: the publisher failed and is off: KeyError('a defect')"]
    assert list(run_directory.iterdir()) == []


def test_every_iteration_of_a_busy_moment_is_covered(make, watch):
    publisher = make()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    for number in range(5_000):
        publisher.post(wire.Iteration(number=number, at=0.0, built=number))
    publisher.flush(10)
    watcher.until(lambda: watcher.covered("r1") >= 5_000)

    told = watcher.of("r1", wire.Iteration)
    assert [e.number for e in told[:64]] == list(range(64))
    assert len(told) < 1_000
    assert told[-1].built == 4_999
    assert watcher.of("r1", Trouble) == []


def test_what_overflows_is_counted_to_the_last_one(make, watch):
    held, go = threading.Event(), threading.Event()

    def heart(now: float) -> list[wire.Message]:
        held.set()
        go.wait(10)
        return []

    publisher = make(heart=heart)
    assert held.wait(10)
    for number in range(20_000):
        publisher.post(wire.Iteration(number=number, at=0.0))
    publisher.post(FINDING)
    go.set()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1") and watcher.beat("r1").lost > 0)

    assert watcher.covered("r1") + watcher.beat("r1").lost == 20_000
    assert list(watcher.jobs["r1"].findings) == ["graph-chain"]


def test_backwards_of_a_busy_moment_are_thinned_and_failures_kept(make, watch):
    publisher = make()
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    for i in range(4_000):
        error = "RuntimeError: boom" if i in (17, 3_333) else None
        publisher.post(wire.Backward(at=0.0, iteration=i, error=error))
    publisher.flush(10)
    watcher.until(lambda: any(b.iteration == 3_999 for b in watcher.of("r1", wire.Backward)))

    told = watcher.of("r1", wire.Backward)
    assert [b.iteration for b in told if b.error] == [17, 3_333]
    assert sum(1 + b.skipped for b in told) == 4_000
    assert len(told) < 1_000


def test_posts_from_many_threads_all_arrive(make, watch):
    publisher = make()

    def train(lane: int) -> None:
        for number in range(500):
            publisher.post(wire.Iteration(number=number, at=0.0, lane=lane))

    threads = [threading.Thread(target=train, args=(lane,)) for lane in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert publisher.flush(10)
    watcher = watch()
    watcher.until(lambda: watcher.covered("r1") == 2_000)

    by_lane = dict.fromkeys(range(4), 0)
    for event in watcher.of("r1", wire.Iteration):
        by_lane[event.lane] += event.count
    assert by_lane == dict.fromkeys(range(4), 500)


def test_text_that_is_no_utf8_reaches_the_viewer_escaped(make, watch):
    publisher = make()
    publisher.post(msgspec.structs.replace(FINDING, file="tr\udcffin.py"))
    assert publisher.flush(10)
    watcher = watch()
    watcher.until(lambda: "r1" in watcher.jobs and "graph-chain" in watcher.jobs["r1"].findings)

    assert watcher.jobs["r1"].findings["graph-chain"].file == "tr\\udcffin.py"


def test_the_log_is_silent_about_a_healthy_run(make, caplog):
    caplog.set_level(logging.DEBUG, "gradwatch")
    publisher = make()
    publisher.post(FINDING)
    publisher.stop(BYE)

    assert caplog.messages == []
