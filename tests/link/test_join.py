"""Who joins late learns the past; who watches together learns the same."""

from __future__ import annotations

from gradwatch.model import Link, Trouble
from gradwatch_agent import wire


def test_a_late_joiner_gets_the_past(start_job, watch):
    job = start_job()
    assert job.tell("post 5000") == "done"

    watcher = watch()
    watcher.until(lambda: watcher.covered("r1") >= 5000)

    assert [type(e) for e in watcher.of("r1", object)[:2]] == [wire.Hello, Link]
    told = watcher.of("r1", wire.Iteration)
    assert (told[0].number - told[0].count + 1, told[-1].number) == (0, 4999)
    assert sorted(told, key=lambda e: e.number) == told
    assert watcher.covered("r1") == 5000
    assert watcher.of("r1", Trouble) == []


def test_what_comes_after_the_past_is_neither_doubled_nor_missing(start_job, watch):
    job = start_job()
    job.tell("post 100")
    watcher = watch()
    watcher.until(lambda: watcher.is_up("r1"))
    job.tell("post 400")
    watcher.until(lambda: watcher.jobs["r1"].number == 499)

    assert [e.number for e in watcher.of("r1", wire.Iteration)] == list(range(500))


def test_joining_while_the_job_talks_misses_nothing(start_job, watch):
    job = start_job()
    watcher = watch()
    job.tell("post 3000")
    watcher.until(lambda: watcher.covered("r1") >= 3000)

    assert [e.number for e in watcher.of("r1", wire.Iteration)] == list(range(3000))


def test_two_viewers_see_the_same_and_are_counted(start_job, watch):
    job = start_job()
    first, second = watch(), watch()
    for watcher in (first, second):
        watcher.until(lambda w=watcher: w.is_up("r1") and w.beat("r1").viewers == 2)
    job.tell("post 200")
    job.tell("finding")
    for watcher in (first, second):
        watcher.until(lambda w=watcher: "graph-chain" in w.jobs["r1"].findings)
    second.source.stop()
    first.until(lambda: first.beat("r1").viewers == 1)

    journaled = (wire.Hello, wire.Iteration, wire.Finding)
    assert first.of("r1", *journaled) == second.of("r1", *journaled)


def test_jobs_that_appear_later_are_picked_up(start_job, watch):
    watcher = watch()
    start_job("r1", "one")
    watcher.until(lambda: watcher.is_up("r1"))
    start_job("r2", "two")
    watcher.until(lambda: watcher.is_up("r2"))

    assert {job.name for job in watcher.jobs.values()} == {"one", "two"}


def test_targets_choose_by_pid_and_by_name(start_job, watch):
    one, _, _ = start_job("r1", "one"), start_job("r2", "two"), start_job("r3", "three")
    watcher = watch([str(one.pid), "three"])
    everything = watch()
    everything.until(lambda: all(map(everything.is_up, ("r1", "r2", "r3"))))
    watcher.until(lambda: watcher.is_up("r1") and watcher.is_up("r3"))

    assert set(watcher.jobs) == {"r1", "r3"}
