"""`graph-chain`: raised when the oldest graph reached stays put, never for a bounded age."""

import re
from collections.abc import Iterable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch_agent import wire
from gradwatch_agent.verdicts import Answer, Verdicts

HELLO = wire.Hello(run="r", job="j", host="h", pid=1, started=0.0)
NODES = 10
"""Nodes of one generation."""


def record(number: int, oldest: int | None, *, counted: bool = True) -> wire.Iteration:
    """An iteration whose loss reaches back to `oldest`; None: to no earlier one."""
    seen = wire.Iteration(number=number, at=float(number), built=NODES)
    if not counted:
        return seen
    stale = NODES * (number - oldest) if oldest is not None else 0
    return wire.Iteration(
        number=number,
        at=float(number),
        built=NODES,
        reached=NODES + stale,
        stale=stale,
        oldest=oldest,
        proven=oldest,
        saved_bytes=100 * stale,
    )


def told(records: Iterable[wire.Iteration]) -> list[wire.Finding]:
    verdicts = Verdicts(HELLO)
    return [finding for record in records for finding in verdicts.iteration(record)]


def reaching(*oldest: int | None) -> list[wire.Iteration]:
    """One iteration for each value."""
    return [record(number, reached) for number, reached in enumerate(oldest)]


def test_a_chain_is_raised_at_the_fifth_iteration_that_reaches_back():
    (raised,) = told(reaching(None, *[0] * 5))
    assert (raised.kind, raised.level, raised.state) == ("graph-chain", "critical", "raised")
    assert (raised.iteration, raised.since_iteration) == (5, 1)
    assert raised.nodes_per_iteration == NODES
    assert raised.bytes_per_iteration == 100 * NODES
    assert raised.message == "The loss reaches the graphs of 5 earlier iterations, +10 nodes each."


def test_four_iterations_are_not_enough():
    assert told(reaching(None, *[0] * 4)) == []


def test_a_loss_that_reads_a_part_of_what_is_carried_ends_nothing():
    """Of eight rows it reads four: the oldest is not among them each time."""
    findings = told(reaching(None, 0, 0, 0, 0, 1, 0, 0, 2, 2, 0, 1, 1, 0))
    assert [finding.state for finding in findings] == ["raised", "updated"]
    assert findings[0].iteration == 6


def test_it_has_ended_where_none_reaches_as_far_any_more():
    findings = told(reaching(None, 0, 0, 0, 0, 0, 5, 5, 5))
    assert [finding.state for finding in findings] == ["raised", "resolved"]


def test_a_chain_that_begins_late_is_raised_as_soon():
    healthy = [None] * 100
    (raised,) = told(reaching(*healthy, *[99] * 5))
    assert (raised.iteration, raised.since_iteration) == (104, 100)


def test_a_chain_is_told_again_only_as_it_doubles():
    findings = told(reaching(None, *[0] * 1_000))
    assert [finding.state for finding in findings] == ["raised"] + ["updated"] * 7
    assert {finding.iteration for finding in findings} == {5}  # when it was noticed
    ages = [int(re.search(r"of ([\d,]+) earlier", f.message)[1].replace(",", "")) for f in findings]
    assert ages == [5 * 2**i for i in range(8)]
    assert len({finding.id for finding in findings}) == 1


def test_when_the_job_ends_a_chain_is_told_as_long_as_it_is():
    verdicts = Verdicts(HELLO)
    for each in reaching(None, *[0] * 52):
        verdicts.iteration(each)
    (last,) = verdicts.last(at=60.0)
    assert (last.state, last.iteration) == ("updated", 5)
    assert "of 52 earlier iterations" in last.message
    assert not verdicts.last(at=61.0)


def test_a_chain_that_ends_is_resolved():
    raised, resolved = told(reaching(None, *[0] * 5, *[None] * 5))
    assert (resolved.state, resolved.id, resolved.iteration) == ("resolved", raised.id, 5)


def test_iterations_that_were_not_counted_neither_prove_nor_disprove():
    chain = [record(0, None), *(record(n, 0, counted=n % 10 == 0) for n in range(1, 60))]
    (raised, *_) = told(chain)
    assert raised.iteration == 50


def test_a_chain_that_only_some_iterations_reach_is_raised_too():
    (raised, *_) = told(reaching(None, *[0, None, None] * 20))
    assert raised.kind == "graph-chain"


def test_an_old_graph_that_does_not_grow_is_told_in_other_words():
    same = [record(0, None)]
    for number in range(1, 6):
        still = wire.Iteration(
            number, float(number), reached=15, stale=5, oldest=0, proven=0, outdated=True
        )
        same.append(still)
    (raised,) = told(same)
    assert raised.message == (
        "The loss still reaches the graph that was built in iteration 0, 5 iterations ago."
    )


def test_an_old_graph_whose_weights_are_as_they_were_is_shared_rightly():
    same = [
        wire.Iteration(number, float(number), reached=15, stale=5, oldest=0, proven=0)
        for number in range(1, 100)
    ]
    assert told([record(0, None), *same]) == []


def test_a_chain_that_grows_in_every_second_iteration_is_one():
    """Two backwards in turn, each taken for an iteration."""
    turns = [
        wire.Iteration(number, float(number), reached=15, stale=number // 2 * 2, oldest=0, proven=0)
        for number in range(2, 60)
    ]
    raised, *updated = told([record(0, None), *turns])
    assert (raised.kind, raised.state) == ("graph-chain", "raised")
    assert {each.state for each in updated} <= {"updated"}


def test_a_chain_that_few_iterations_feed_is_told_by_its_oldest_graph():
    fed = [
        msgspec.structs.replace(record(number, 0), stale=NODES * (1 + number // 7))
        for number in range(1, 40)
    ]
    last = told([record(0, None), *fed])[-1]
    assert last.message == (
        "The loss reaches graphs of earlier iterations, the oldest 28 ago, +1.5 nodes each."
    )


def test_a_chain_for_each_of_many_of_which_one_is_met_at_a_time_is_one():
    by_turns = [
        msgspec.structs.replace(record(number, number % 6), stale=3 * (number // 6))
        for number in range(6, 40)
    ]
    raised, *updated = told(by_turns)
    assert (raised.kind, raised.state) == ("graph-chain", "raised")
    assert {each.state for each in updated} == {"updated"}


def test_nodes_not_proven_to_be_old_are_no_evidence():
    unproven = [
        wire.Iteration(number, float(number), reached=20, stale=10, oldest=0, proven=None)
        for number in range(50)
    ]
    assert told(unproven) == []


@given(st.lists(st.integers(0, 4), min_size=20, max_size=200))
def test_ages_up_to_four_are_never_a_chain(ages):
    assert told(reaching(*(max(n - age, 0) if age else None for n, age in enumerate(ages)))) == []


@given(window=st.integers(1, 50), iterations=st.integers(60, 200))
def test_a_window_that_moves_on_is_no_chain_once_it_is_full(window, iterations):
    """Truncated backpropagation with a moving window: while it fills it cannot be told apart."""
    findings = told(reaching(None, *(max(0, n - window) for n in range(1, iterations))))
    assert [finding.state for finding in findings if finding.state != "updated"] in (
        [],
        ["raised", "resolved"],
    )
    if window <= 4:
        assert findings == []


@given(period=st.integers(1, 60))
def test_truncated_backpropagation_that_detaches_now_and_then_is_raised_once_at_most(period):
    ages = (n % period for n in range(600))
    findings = told(reaching(*(n - age if age else None for n, age in enumerate(ages))))
    assert [finding.state for finding in findings if finding.state != "updated"] in (
        [],
        ["raised", "resolved"],
    )
    if period <= 5:
        assert findings == []


@pytest.mark.parametrize("period", [6, 20])
def test_a_real_chain_after_a_bounded_one_is_still_raised(period):
    ages = [n % period for n in range(200)] + list(range(1, 100))
    findings = told(reaching(*(n - age if age else None for n, age in enumerate(ages))))
    assert [finding.state for finding in findings if finding.state != "updated"][-1] == "raised"
    assert findings[-1].iteration >= 200


def test_while_it_may_still_end_nothing_else_is_made_of_the_graphs_that_it_keeps():
    verdicts, told = Verdicts(HELLO), []
    verdicts.learn("graph-chain", Answer(bounded=True))
    for number in range(60):
        reaching_all = msgspec.structs.replace(record(number, 0), dead=max(number - 3, 0))
        told += verdicts.iteration(reaching_all)
    raised = [finding for finding in told if finding.state == "raised"]
    assert [(finding.kind, finding.iteration) for finding in raised] == [("graph-chain", 40)]
    assert {finding.kind for finding in told} == {"graph-chain"}
