"""Which functions are called anew for each iteration."""

from __future__ import annotations

import sys

import pytest

from gradwatch_agent.diagnosis.lasting.anew import Calls


def names(calls: Calls) -> set[str]:
    """The functions that are called anew, as seen from the caller."""
    lines = {line for file, line in calls.anew(sys._getframe(1)) if file == __file__}
    return {name for name, thing in globals().items() if _line_of(thing) in lines}


def _line_of(thing: object) -> int:
    return getattr(getattr(thing, "__code__", None), "co_firstlineno", -1)


def epoch(calls: Calls, batches: int) -> list[set[str]]:
    seen = []
    for _ in range(batches):
        seen.append(forward(calls))
        end(calls)
    return seen


def forward(calls: Calls) -> set[str]:
    return names(calls)


def end(calls: Calls) -> None:
    calls.note(sys._getframe())


@pytest.fixture
def calls():
    return Calls()


def test_a_call_that_lasts_is_told_from_the_next_of_the_same_function(calls):
    calls.note(sys._getframe())
    assert epoch(calls, 2) == [{"epoch", "forward"}, {"forward", "end"}]
    assert epoch(calls, 2) == [{"epoch", "forward", "end"}, {"forward", "end"}]
    calls.clear(sys._getframe())


def test_where_the_last_end_was_not_noted_the_source_tells(calls):
    calls.note(sys._getframe())
    calls.lapse()
    assert epoch(calls, 1) == [{"forward"}]
    calls.clear(sys._getframe())


def test_nothing_is_noted_where_a_debugger_traces(calls):
    frame = sys._getframe()
    before = sys.gettrace()
    sys.settrace(lambda *_: None)
    try:
        calls.note(frame)
        marked = frame.f_trace
    finally:
        sys.settrace(before)
    assert marked is None


def test_the_place_of_a_debugger_that_rests_is_left_to_it(calls):
    frame = sys._getframe()
    frame.f_trace = resting = lambda *_: None
    calls.note(frame)
    calls.clear(frame)
    left, frame.f_trace = frame.f_trace, None
    assert left is resting


def test_nothing_is_left_in_the_frames(calls):
    frame = sys._getframe()
    calls.note(frame)
    assert frame.f_trace is not None
    calls.clear(frame)
    assert frame.f_trace is None
