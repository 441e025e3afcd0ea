"""Threads that train side by side, and processes that only load data."""

from __future__ import annotations

ITERATIONS = 40


def test_threads_that_train_at_once(jobs):
    """Each has records of its own; none is looked at while it works (torch has no lock there)."""
    ended = jobs.run("threads.py", str(ITERATIONS))
    assert (ended.code, ended.err) == (0, "")
    (process,) = ended.processes
    assert process.alarms == []
    assert sorted({record.lane for record in process.iterations}) == [0, 1, 2]
    assert len(process.threads) == 3
    assert all(process.is_exact(ITERATIONS, thread) for thread in process.threads)


def test_loader_workers_by_fork_and_by_spawn(jobs):
    ended = jobs.run("loaders.py", str(ITERATIONS))
    assert (ended.code, ended.err) == (0, "")
    (process,) = ended.processes
    assert process.is_healthy(2 * ITERATIONS)
