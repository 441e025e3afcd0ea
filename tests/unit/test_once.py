"""Several training threads of a process see the same memory climb: it is told once."""

from __future__ import annotations

from gradwatch_agent.verdicts.case import Case, finding
from gradwatch_agent.verdicts.once import Once
from gradwatch_agent.wire import Finding, Hello, State

WHOSE = Hello(run="r1", job="toy", host="here", pid=7, started=0.0)


def told(kind: str, since: int, state: State = "raised") -> Finding:
    case = Case(kind=kind, level="warning", since=since, message="", suggestion="", size=1)
    return finding(case, WHOSE, state, 0.0, since, f"{kind}@{since}")


def test_a_climb_is_told_by_the_thread_that_told_it_first():
    once = Once()
    assert once.admits(told("memory-climb", 0))
    assert not once.admits(told("memory-climb", 3))
    assert once.admits(told("memory-climb", 0, "updated"))
    assert not once.admits(told("memory-climb", 3, "resolved"))
    assert once.admits(told("memory-climb", 0, "resolved"))
    assert once.admits(told("memory-climb", 9))


def test_a_forecast_is_not_a_climb_and_graphs_are_each_threads_own():
    once = Once()
    assert once.admits(told("memory-climb", 0))
    assert once.admits(told("oom-forecast", 3))
    assert once.admits(told("graph-held", 0))
    assert once.admits(told("graph-held", 3))
