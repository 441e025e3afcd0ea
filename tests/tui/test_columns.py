"""A job's past as columns: kept up, they are what they would be if taken anew."""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwatch.model import Job
from gradwatch.tui.past import Past
from gradwatch_agent import wire
from gradwatch_agent.journal import Series, fold_iterations, fold_memory

RECORD = st.builds(
    wire.Iteration,
    number=st.just(0),
    at=st.just(0.0),
    lane=st.sampled_from((0, 0, 0, 1)),
    reached=st.none() | st.integers(0, 99),
    stale=st.none() | st.integers(0, 9),
    saved_bytes=st.none() | st.integers(0, 9),
    held=st.integers(0, 5),
)


def columns(past: Past) -> list:
    device = past.device("gpu")
    return [tuple(map(list, each)) for each in (past.nodes, past.saved, past.each, device)]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(RECORD, max_size=12), max_size=8))
def test_columns_that_are_kept_up_are_those_taken_anew(pieces):
    job = Job("x")
    job.iterations = Series(16, fold_iterations)
    job.memory = Series(16, fold_memory)
    past, number = Past(job), 0
    for piece in pieces:
        for record in piece:
            job.fold(msgspec.structs.replace(record, number=number))
            gpu = wire.DeviceMemory("gpu", used_bytes=number) if number % 3 else None
            job.fold(wire.Memory(0.0, number - 2, devices=(gpu,) if gpu else ()))
            number += 1
        assert columns(past) == columns(Past(job))


def test_what_was_drawn_is_not_changed_by_a_fold():
    job = Job("x")
    job.iterations = Series(16, fold_iterations)
    past = Past(job)
    for number in range(16):
        job.fold(wire.Iteration(number, 0.0))
    drawn = past.each.number
    before = list(drawn)
    job.fold(wire.Iteration(16, 0.0))
    assert past.each.number is not drawn
    assert list(drawn) == before
