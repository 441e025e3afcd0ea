"""`graph-held`: raised when spent graphs pile up, once a collection has ruled out a mere cycle."""

import dataclasses
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwatch_agent import wire
from gradwatch_agent.verdicts import Answer, Verdicts
from gradwatch_agent.verdicts.dead import Dead
from gradwatch_agent.verdicts.failure import Doom, second_backward
from gradwatch_agent.verdicts.held import Held

HELLO = wire.Hello(run="r", job="j", host="h", pid=1, started=0.0)


class Job:
    """A job that holds graphs; `collector` says how many are left of so many by a collection."""

    def __init__(self, collector: Callable[[int], int] = lambda held: held) -> None:
        self.verdicts = Verdicts(HELLO)
        self.findings: list[wire.Finding] = []
        self.looks = self.collections = 0
        self._collector = collector
        self._number = 0
        self.proves = lambda _held: True
        """Whether there is time to look what keeps so many."""
        self.unseen = 0
        """Iterations that go by unseen before each one."""

    def holds(self, *counts: int) -> None:
        for count in counts:
            collected = self.verdicts.detectors.suspects(count) and self.proves(count)
            if collected:
                self.looks += 1
                if not self.verdicts.detectors.early:  # names alone tell of those
                    self.collections += 1
                    count = self._collector(count)
            self._iterate(count, collected=collected)

    def _iterate(self, held: int, *, collected: bool) -> None:
        self._number += self.unseen
        record = wire.Iteration(
            number=self._number,
            count=1 + self.unseen,
            at=float(self._number),
            reached=34,
            stale=0,
            held=held,
            types={"AddmmBackward0": 30, "AccumulateGrad": 4},
            collected=collected,
        )
        self.findings += self.verdicts.iteration(record)
        self._number += 1

    @property
    def states(self) -> list[wire.State]:
        return [finding.state for finding in self.findings if finding.state != "updated"]


def test_a_leak_is_raised_when_six_spent_graphs_are_held():
    job = Job()
    job.holds(0, 0, *range(7))
    (raised,) = job.findings
    assert (raised.kind, raised.level, raised.iteration) == ("graph-held", "warning", 8)
    assert raised.since_iteration == 3
    assert raised.nodes_per_iteration == 30
    assert "The graphs of 6 earlier iterations are kept alive" in raised.message


def test_five_are_not_enough():
    job = Job()
    job.holds(0, 1, 2, 3, 4, *[5] * 500)
    assert (job.findings, job.collections) == ([], 0)


def test_one_collection_comes_before_the_finding_and_none_after():
    job = Job()
    job.holds(*range(200))
    assert job.collections == 1


def test_a_cycle_that_the_collector_frees_is_no_leak():
    job = Job(collector=lambda _: 0)
    for _ in range(100):
        job.holds(*range(45))  # the cyclic collector runs now and then
    assert job.findings == []
    assert job.collections <= 3


def test_a_leak_is_found_behind_cycles():
    """Each second iteration leaks, each other one makes a cycle."""
    cycles = 0
    job = Job(collector=lambda held: held - cycles)
    for leaked in range(200):
        cycles += 1
        before = job.collections
        job.holds(leaked + cycles)
        if job.collections > before:
            cycles = 0
    assert job.states == ["raised"]
    assert job.findings[0].iteration < 20


def test_a_leak_is_told_again_only_as_it_doubles():
    job = Job()
    job.holds(*range(100))
    held = [int(finding.message.split()[3]) for finding in job.findings]
    assert held == [6, 12, 24, 48, 96]
    assert len({finding.id for finding in job.findings}) == 1


def test_where_iterations_go_by_unseen_a_leak_is_told_as_at_least_so_large():
    job = Job()
    job.holds(*range(20))
    job.unseen = 9
    job.holds(*range(20, 40))
    told = [finding.message.partition(" earlier")[0] for finding in job.findings]
    assert told == ["The graphs of 6", "The graphs of 12", "The graphs of at least 24"]
    assert job.findings[-1].since_iteration == 1


def test_what_went_by_unseen_before_a_leak_began_is_not_its_own():
    job = Job()
    job.unseen = 9
    job.holds(*[0] * 20)
    job.unseen = 0
    job.holds(*range(8))
    assert "The graphs of 6 earlier" in job.findings[0].message


def test_an_epochs_sum_that_starts_anew_stays_one_finding():
    job = Job()
    for _ in range(20):
        job.holds(*range(100))
    assert job.states == ["raised"]


@settings(max_examples=25)
@given(size=st.integers(1, 200))
def test_a_bounded_store_is_resolved_and_not_raised_again(size):
    job = Job()
    job.holds(*range(size))
    job.holds(*[size] * 3_000)
    assert job.states in ([], ["raised", "resolved"])
    assert bool(job.states) == (size >= 6)
    assert not job.findings or "turned out to be bounded" in job.findings[-1].message


@settings(max_examples=25)
@given(size=st.integers(7, 60))
def test_what_starts_anew_for_ever_and_never_comes_to_more_is_bounded(size):
    job = Job()
    for _ in range(2_200 // size):
        job.holds(*range(size))
    assert job.states == ["raised", "resolved"]
    assert "turned out to be bounded" in job.findings[-1].message


def test_a_leak_that_goes_on_after_a_bounded_store_was_seen_is_raised_again():
    job = Job()
    job.holds(*range(20), *[20] * 500, *range(20, 100))
    assert job.states == ["raised", "resolved", "raised"]


def test_a_store_that_was_emptied_is_resolved():
    job = Job()
    job.holds(*range(20), *[0] * 500)
    assert job.states == ["raised", "resolved"]
    assert job.findings[-1].message.startswith("No longer so: ")


@pytest.mark.parametrize("every", [10, 50])
def test_a_leak_that_grows_slowly_stays_one_finding(every):
    job = Job()
    job.holds(*(number // every for number in range(3_000)))
    assert job.states == ["raised"]


@given(st.lists(st.integers(0, 5), max_size=300))
def test_a_handful_is_never_a_leak(counts):
    job = Job()
    job.holds(*counts)
    assert job.findings == []


def in_a_store(room: int, *, sure: bool = True, endless: bool = False) -> Job:
    job = Job()
    job.verdicts.detectors.learn_kept(room, sure=sure, wanted=False, endless=endless)
    return job


@pytest.mark.parametrize(("every", "costs"), [(1, 30.0), (5, 6.0)])
def test_what_it_costs_is_of_all_iterations(every, costs):
    job = Job()
    job.holds(*(1 + number // every for number in range(every * 16)))
    assert job.findings[-1].nodes_per_iteration == pytest.approx(costs, rel=0.2)


@pytest.mark.parametrize(("every", "told"), [(1, 6), (2, 4), (3, 6), (10, 20)])
def test_of_what_has_no_end_fewer_are_enough_where_they_come_now_and_then(every, told):
    job = in_a_store(0, endless=True)
    job.holds(*(number // every for number in range(40)))
    assert job.findings[0].iteration == told


def test_it_is_looked_at_once_for_each_that_comes():
    job = in_a_store(0)
    job.holds(*(min(number // 5, 5) for number in range(60)))
    assert (job.findings, job.looks) == ([], 4)


def test_what_a_store_may_hold_by_a_guess_is_a_hint_that_becomes_an_alarm():
    job = in_a_store(128, sure=False)
    job.holds(*range(130))
    *hints, alarm = job.findings
    assert (hints[0].iteration, hints[0].state) == (6, "raised")
    assert {hint.level for hint in hints} == {"info"}
    assert (alarm.level, "of 129 earlier" in alarm.message) == ("warning", True)
    assert "waste but no leak" in hints[0].message
    assert "waste but no leak" not in alarm.message
    assert len({finding.id for finding in job.findings}) == 1


@pytest.mark.parametrize("room", [20, 48, 128])
def test_what_a_store_is_made_to_hold_is_a_hint_until_it_stays_full(room):
    job = in_a_store(room, sure=True)
    job.holds(*range(room), *[room] * 1_000)
    assert job.states == ["raised", "resolved"]
    assert {finding.level for finding in job.findings} == {"info"}
    assert "has room for so many and no more" in job.findings[0].message


def test_what_a_store_is_made_to_hold_of_retained_graphs_is_no_news():
    held = Held(retained=True)
    held.room, held.sure = 60, True
    for number in range(500):
        live = min(number, 50)
        proven = held.suspects(0, live)
        record = wire.Iteration(number=number, at=float(number), live=live, collected=proven)
        held.iteration(record)
        assert held.case() is None


def test_a_store_that_was_only_guessed_at_and_stays_full_is_resolved_once():
    job = in_a_store(128, sure=False)
    job.holds(*range(40), *[40] * 500)
    assert job.states == ["raised", "resolved"]


def test_a_hint_does_not_wait_for_another_proof_once_the_store_is_outgrown():
    job = in_a_store(128, sure=False)
    job.proves = lambda held: held < 100  # no time is left for searches
    job.holds(*range(140))
    assert job.findings[-1].level == "warning"


def test_a_hint_of_what_has_made_a_backward_fail_is_taken_back_for_good():
    job = in_a_store(48, sure=True)
    job.verdicts.learn("graph-held", Answer(file="a.py", line=3, holder="kept"))
    job.holds(*range(12))
    failed = dataclasses.replace(second_backward(Doom(12, 11, "A")), file="a.py", line=3)
    assert job.verdicts.absorbed(12.0) == []
    job.verdicts.event(failed, 12.0, 12)
    (over,) = job.verdicts.absorbed(12.0)
    assert (over.state, over.id) == ("resolved", job.findings[0].id)
    job.findings.clear()
    job.holds(*range(12, 20))
    assert job.findings == []


def test_an_alarm_of_what_has_made_a_backward_fail_is_told_as_that():
    job = Job()
    job.verdicts.learn("graph-held", Answer(file="a.py", line=3, holder="kept"))
    job.holds(*range(12))
    assert job.findings[-1].level == "warning"
    failed = dataclasses.replace(second_backward(Doom(12, 11, "A")), file="a.py", line=3)
    job.verdicts.event(failed, 12.0, 12)
    (over,) = job.verdicts.absorbed(12.0)
    assert (over.kind, over.state) == ("graph-held", "resolved")


def test_graphs_given_up_to_which_a_backward_comes_back_in_vain_are_told_as_that():
    job = Job()
    job.verdicts.detectors.learn_dead(0, sure=True, since=1, early=False)
    for number in range(20, 24):
        record = wire.Iteration(number=number, at=float(number), dead=8)
        job.findings += job.verdicts.iteration(record)
    assert [found.kind for found in job.findings] == ["graph-held"]
    failed = dataclasses.replace(second_backward(Doom(24, 20, "A")), kind="inplace-modified")
    job.verdicts.event(failed, 24.0, 24)
    (over,) = job.verdicts.absorbed(24.0)
    assert (over.state, over.id) == ("resolved", job.findings[0].id)


def test_beside_a_hint_a_climb_is_told_as_what_it_is():
    job = in_a_store(128, sure=False)
    job.holds(*range(20))
    for second in range(200):
        rss = 1_000_000_000 + second * 20_000_000
        job.findings += job.verdicts.memory(
            wire.Memory(at=float(second), iteration=20 + second, rss_bytes=rss)
        )
    assert {(f.kind, f.level) for f in job.findings} == {
        ("graph-held", "info"),
        ("memory-climb", "warning"),
    }


@pytest.mark.parametrize(
    ("room", "sure", "early", "level"),
    [
        (0, False, False, "warning"),
        (0, False, True, "info"),
        (24, False, False, "info"),
        (128, True, False, "info"),
        (24, True, False, None),
    ],
)
def test_how_graphs_that_nobody_comes_back_to_are_told(room, sure, early, level):
    dead = Dead()
    dead.room, dead.sure, dead.early = room, sure, early
    for number in (8, 9):
        dead.iteration(wire.Iteration(number=number, at=float(number), dead=6))
    case = dead.case()
    assert (case.level if case else None) == level


def test_what_a_backward_leaves_in_grad_is_suspected_sooner():
    held = Held(retained=True)
    assert not held.suspects(0, 6)
    held.hasten()
    assert held.suspects(0, 6)
