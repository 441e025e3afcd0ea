"""A job's state, folded from its events."""

from __future__ import annotations

import msgspec
import pytest

from gradwatch.model import Job, Link, Trouble
from gradwatch_agent import wire

HELLO = wire.Hello(run="r1", job="toy", host="here", pid=7, started=0.0)
UP = Link(up=True, at=1_700_000_000.0)
DOWN = Link(up=False, why="its process 7 is gone", at=1_700_000_001.5)


def finding(kind: str, level: wire.Level = "warning", **more) -> wire.Finding:
    return wire.Finding(
        kind=kind,
        level=level,
        state=more.pop("state", "raised"),
        time="2023-11-14T22:13:20.000Z",
        run="r1",
        job="toy",
        host="here",
        pid=7,
        rank=0,
        iteration=0,
        since_iteration=0,
        message="",
        **more,
    )


def folded(*events) -> Job:
    job = Job("r1")
    for event in events:
        job.fold(event)
    return job


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([], "joining"),
        ([Link(up=False, why="does not answer")], "joining"),
        ([HELLO, UP], "live"),
        ([HELLO, UP, DOWN], "lost"),
        ([HELLO, UP, DOWN, UP], "live"),
        ([HELLO, UP, finding("stalled")], "stalled"),
        ([HELLO, UP, finding("stalled"), finding("stalled", state="resolved")], "live"),
        ([HELLO, UP, wire.Bye(at=0.0), DOWN], "finished"),
        ([HELLO, UP, wire.Bye(at=0.0, reason="crashed"), DOWN], "crashed"),
        ([HELLO, UP, DOWN, wire.Bye(at=0.0)], "finished"),
    ],
)
def test_what_a_job_is_called(events, state):
    assert folded(*events).state == state


def test_a_loss_is_a_finding_and_a_return_resolves_it():
    job = folded(HELLO, UP, wire.Iteration(number=41, at=0.0), DOWN)
    lost = job.findings["lost"]

    assert (lost.kind, lost.level, lost.state) == ("lost", "warning", "raised")
    assert (lost.run, lost.job, lost.pid, lost.iteration) == ("r1", "toy", 7, 41)
    assert lost.time == "2023-11-14T22:13:21.500Z"
    assert lost.message == "The job is lost after iteration 41: its process 7 is gone."

    job.fold(UP)
    assert job.findings["lost"].state == "resolved"
    assert job.open_findings == []


def test_an_end_that_was_announced_is_no_loss():
    assert folded(HELLO, UP, wire.Bye(at=0.0), DOWN).findings == {}


def test_the_newest_number_is_known_from_iterations_and_beats():
    job = folded(HELLO)
    assert job.number == -1
    job.fold(wire.Iteration(number=3, at=0.0))
    assert job.number == 3
    job.fold(wire.Beat(at=0.0, iteration=9))
    assert job.number == 9


def test_the_gravest_open_finding_stands_on_top():
    chain = finding("graph-chain", "critical")
    job = folded(finding("graph-unused", "info"), finding("memory-climb"), chain)

    assert [f.kind for f in job.open_findings] == ["graph-chain", "memory-climb", "graph-unused"]
    assert job.top == chain

    job.fold(msgspec.structs.replace(chain, state="resolved"))
    assert job.top is not None
    assert job.top.kind == "memory-climb"


def test_a_finding_is_remembered_in_its_newest_state():
    raised = finding("graph-held", id="graph-held/0")
    updated = msgspec.structs.replace(raised, state="updated", level="critical")
    other = finding("graph-held", id="graph-held/1")

    assert list(folded(raised, other, updated).findings.values()) == [updated, other]


def test_an_agent_gone_mad_cannot_fill_the_viewer():
    first = finding("graph-held", id="first")
    over = [finding("graph-held", id=str(n), state="resolved") for n in range(3_000)]
    job = folded(first, *over)

    assert len(job.findings) == 1_024
    assert job.open_findings == [first]


def test_troubles_add_up():
    job = folded(Trouble(lost=2), Trouble(garbage=1), Trouble(lost=3, newer=1))
    assert job.trouble == Trouble(newer=1, garbage=1, lost=5)


def test_the_last_census_is_kept():
    census = wire.Iteration(number=1, at=0.0, types={"AddBackward0": 2})
    job = folded(census, wire.Iteration(number=2, at=0.0))

    assert job.census == census
    assert job.iterations[-1].number == 2


def test_a_long_job_stays_bounded_and_keeps_its_span():
    job = Job("r1")
    for number in range(20_000):
        job.fold(wire.Iteration(number=number, at=float(number)))
        job.fold(wire.Backward(at=0.0, iteration=number))
        job.fold(wire.Memory(at=0.0, iteration=number))

    assert len(job.iterations) <= 8_192
    assert sum(record.count for record in job.iterations) == 20_000
    assert (len(job.backwards), job.backwards[-1].iteration) == (1_024, 19_999)
    assert len(job.memory) <= 4_096


def test_the_rate_is_that_of_the_last_records():
    job = Job("r1")
    assert job.rate_per_s is None
    for number in range(100):
        job.fold(wire.Iteration(number=number, at=number / 4))
    assert job.rate_per_s == pytest.approx(4.0)


def test_every_event_raises_the_revision():
    assert folded(HELLO, UP, Trouble(), wire.Beat(at=0.0)).revision == 4
