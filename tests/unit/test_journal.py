"""The journal's past: bounded, its span kept, every original counted once."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch_agent import wire
from gradwatch_agent.journal import Journal, Series, fold_iterations, fold_memory


def iteration(number: int, **more: object) -> wire.Iteration:
    return wire.Iteration(number=number, at=float(number), **more)


def bodies(frames: list[bytes]) -> list[wire.Message]:
    return [wire.decode_body(wire.decode_frame(frame)) for frame in frames]


def spans(limit: int, count: int) -> list[tuple[int, int]]:
    """First and last original of each record."""
    series = Series[tuple[int, int]](limit, lambda older, newer: (older[0], newer[1]))
    for i in range(count):
        series.append((i, i))
    return list(series)


@given(st.integers(8, 200), st.integers(1, 2_000))
def test_a_series_is_bounded_and_loses_nothing(limit, count):
    kept = spans(limit, count)

    assert len(kept) <= limit
    assert [first for first, _ in kept] == [0, *(last + 1 for _, last in kept[:-1])]
    assert kept[-1][1] == count - 1


@given(st.integers(8, 200), st.integers(1, 2_000))
def test_the_newest_quarter_is_never_folded(limit, count):
    newest = spans(limit, count)[-(limit // 4) :]
    assert all(first == last for first, last in newest)


def test_the_old_part_of_a_series_is_coarse_all_over():
    weights = [last - first + 1 for first, last in spans(64, 64 * 64)]
    assert max(weights) <= 64 * 64 // 8


def test_a_heavy_record_is_left_alone_while_lighter_ones_can_be_folded():
    series = Series[int](8, lambda older, newer: older + newer)
    for weight in [5, 1, 1, 1, 1, 1, 1, 1, 1]:
        series.append(weight, weight)

    assert list(series) == [5, 2, 2, 2, 1, 1]


@given(st.lists(st.integers(1, 100), max_size=300))
def test_a_series_ends_whatever_the_weights(weights):
    series = Series[int](8, lambda older, newer: older + newer)
    for weight in weights:
        series.append(weight, weight)

    assert sum(series) == sum(weights)
    assert len(series) <= 8


def test_a_fold_keeps_means_levels_and_what_was_last_measured():
    older = iteration(1, duration_s=1.0, backward_s=0.4, built=10, reached=5, types={"A": 1})
    newer = iteration(4, duration_s=3.0, backward_s=0.8, built=12, count=3)
    folded = fold_iterations(older, newer)

    assert (folded.number, folded.at, folded.count) == (4, 4.0, 4)
    assert (folded.duration_s, folded.backward_s) == (2.5, pytest.approx(0.7))
    assert (folded.built, folded.reached, folded.types) == (12, 5, {"A": 1})


def test_a_census_of_the_newer_replaces_the_older_whole():
    older = iteration(1, reached=5, stale=3, oldest=0)
    newer = iteration(2, reached=4, stale=0, oldest=None)
    folded = fold_iterations(older, newer)

    assert (folded.reached, folded.stale, folded.oldest) == (4, 0, None)


def test_a_fold_of_memory_keeps_the_higher_peak():
    older = wire.Memory(at=1.0, iteration=1, rss_bytes=9, peak_rss_bytes=10)
    newer = wire.Memory(at=2.0, iteration=2, rss_bytes=3, peak_rss_bytes=4)

    assert fold_memory(older, newer) == wire.Memory(
        at=2.0, iteration=2, rss_bytes=3, peak_rss_bytes=10
    )


def test_each_message_gets_the_next_number():
    journal = Journal()
    frames = [wire.decode_frame(journal.append(iteration(i))) for i in range(3)]

    assert [(frame.n, frame.c) for frame in frames] == [(1, 1), (2, 1), (3, 1)]


def test_a_beat_carries_the_newest_number_and_is_not_kept():
    journal = Journal()
    journal.append(iteration(0))
    frame = wire.decode_frame(journal.unnumbered(wire.Beat(at=0.0)))

    assert (frame.n, frame.c) == (1, 0)
    assert bodies(journal.keyframe()) == [iteration(0)]


def test_a_keyframe_tells_everything_in_order():
    journal = Journal()
    hello = wire.Hello(run="r", job="j", host="h", pid=1, started=0.0)
    told = [
        hello,
        iteration(0),
        wire.Backward(at=0.0, iteration=0),
        wire.Memory(at=0.0, iteration=0),
        iteration(1),
        wire.Bye(at=1.0),
    ]
    for message in told:
        journal.append(message)

    assert bodies(journal.keyframe()) == told


def test_a_replay_is_the_stretch_asked_for():
    journal = Journal()
    for number in range(10):
        journal.append(iteration(number))

    assert [body.number for body in bodies(journal.replay(3, 5))] == [2, 3, 4]
    assert journal.replay(11, 20) == []
    assert journal.replay(5, 3) == []


def test_a_long_job_keeps_its_span_its_hello_and_its_findings():
    journal = Journal()
    journal.append(wire.Hello(run="r", job="j", host="h", pid=1, started=0.0))
    journal.append(FINDING)
    for number in range(20_000):
        journal.append(iteration(number))
        journal.append(wire.Backward(at=0.0, iteration=number))
        journal.append(wire.Memory(at=0.0, iteration=number))
    frames = [wire.decode_frame(frame) for frame in journal.keyframe()]
    told = [wire.decode_body(frame) for frame in frames]
    iterations = [m for m in told if isinstance(m, wire.Iteration)]

    assert len(frames) < 10_000
    assert isinstance(told[0], wire.Hello)
    assert FINDING in told
    assert sum(m.count for m in iterations) == 20_000
    assert iterations[0].number - iterations[0].count + 1 == 0
    assert [m.iteration for m in told if isinstance(m, wire.Backward)][-1] == 19_999
    assert sum(f.c for f, m in zip(frames, told, strict=True) if isinstance(m, wire.Memory)) == (
        20_000
    )


def test_of_many_states_of_findings_the_newest_of_each_stays():
    journal = Journal()
    journal.append(FINDING)
    for number in range(3_000):
        state = msgspec.structs.replace(FINDING, id=f"other/{number % 2}", iteration=number)
        journal.append(state)
    frames = [wire.decode_frame(frame) for frame in journal.keyframe()]
    told = [wire.decode_body(frame) for frame in frames]

    assert len(told) <= 1_024
    assert told[0] == FINDING
    assert [finding.iteration for finding in told[-2:]] == [2_998, 2_999]
    assert sum(frame.c for frame in frames) == 3_001


def test_of_too_many_findings_the_newest_stay():
    journal = Journal()
    for number in range(2_000):
        journal.append(msgspec.structs.replace(FINDING, id=str(number)))

    assert [finding.id for finding in bodies(journal.keyframe())] == list(
        map(str, range(976, 2_000))
    )


FINDING = wire.Finding(
    kind="graph-chain",
    level="critical",
    state="raised",
    time="2024-01-01T00:00:00.000Z",
    run="r",
    job="j",
    host="h",
    pid=1,
    rank=0,
    iteration=0,
    since_iteration=0,
    message="",
)
