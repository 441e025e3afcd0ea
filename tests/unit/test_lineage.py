"""Generations by sequence number, and what lives and what is spent by sentinels."""

import gc
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch_agent.graph import lineage as module
from gradwatch_agent.graph.lineage import Lineage
from gradwatch_agent.graph.sentinels import sentinel_of

NODES = 10
"""Sequence numbers of one generation."""


def node() -> SimpleNamespace:
    """Has what the lineage sees of an autograd node."""
    return SimpleNamespace(metadata={}, _sequence_nr=lambda: 0)


class Job:
    """Makes, spends and keeps a graph in each iteration; a graph is one marked node."""

    def __init__(self) -> None:
        self.lineage = Lineage(0)
        self.kept: list[SimpleNamespace] = []

    def iterate(self, *, keep: bool, spend: bool = True) -> None:
        root = node()
        self.lineage.mark(root)
        if spend:
            self.lineage.spend(self.lineage.current)
        if keep:
            self.kept.append(root)
        self.lineage.begin((self.lineage.current + 1) * NODES)

    def counts(self) -> tuple[int, int]:
        """Live and held generations."""
        self.lineage.bury()
        return self.lineage.earlier(), self.lineage.held()


@given(st.integers(0, 199), st.integers(0, NODES - 1))
def test_a_sequence_number_tells_its_generation(generation, offset):
    lineage = Lineage(0)
    for number in range(1, 200):
        lineage.begin(number * NODES)
    assert lineage.generation_of(generation * NODES + offset) == generation


def test_generations_without_nodes_have_no_number():
    lineage = Lineage(0)
    for _ in range(3):
        lineage.begin(10)
    assert (lineage.generation_of(9), lineage.generation_of(10)) == (0, 3)


def test_when_numbering_begins_anew_all_that_is_known_is_the_present():
    lineage = Lineage(0)
    lineage.begin(1_000)
    lineage.restart(5)
    assert (lineage.start, lineage.generation_of(3), lineage.generation_of(7)) == (5, 1, 1)


def test_of_a_long_past_the_latest_stays_exact(monkeypatch):
    monkeypatch.setattr(module, "_STARTS", 64)
    lineage = Lineage(0)
    for number in range(1, 1_000):
        lineage.begin(number * NODES)
    assert [lineage.generation_of(n * NODES) for n in range(970, 1_000)] == [*range(970, 1_000)]
    told = [lineage.generation_of(n * NODES) for n in range(1_000)]
    assert told == sorted(told)
    assert all(at <= n for n, at in enumerate(told))


def test_a_job_that_keeps_nothing_has_nothing_alive():
    job = Job()
    for _ in range(50):
        job.iterate(keep=False)
        assert job.counts() == (0, 0)


def test_what_is_kept_and_spent_is_held():
    job = Job()
    for number in range(50):
        job.iterate(keep=True)
        assert job.counts() == (number + 1, number + 1)


def test_what_is_kept_but_not_spent_is_alive_but_not_held():
    job = Job()
    for number in range(50):
        job.iterate(keep=True, spend=False)
        assert job.counts() == (number + 1, 0)


def test_the_current_generation_does_not_count():
    lineage = Lineage(0)
    root = node()
    lineage.mark(root)
    lineage.spend(0)
    assert (lineage.earlier(), lineage.held()) == (0, 0)


def test_a_graph_that_is_retained_beside_a_spent_one_is_not_held():
    lineage = Lineage(0)
    retained, spent = node(), node()
    lineage.mark(retained)
    lineage.next_pass()
    lineage.mark(spent)
    lineage.spend(0)
    lineage.begin(NODES)
    assert (lineage.earlier(), lineage.held()) == (1, 1)
    del spent
    lineage.bury()
    assert (lineage.earlier(), lineage.held()) == (1, 0)
    assert sentinel_of(retained) is not None


def test_what_dies_is_no_longer_counted():
    job = Job()
    for _ in range(50):
        job.iterate(keep=True)
    del job.kept[10:]
    assert job.counts() == (10, 10)


def test_a_generation_lives_as_long_as_any_of_its_marked_nodes():
    lineage = Lineage(0)
    first, second = node(), node()
    assert lineage.mark(first) is lineage.mark(second)
    lineage.begin(NODES)
    del first
    lineage.bury()
    assert lineage.earlier() == 1
    del second
    lineage.bury()
    assert lineage.earlier() == 0


def test_a_mark_stays_that_of_the_generation_that_was_seen_first():
    lineage = Lineage(0)
    old = node()
    lineage.mark(old)
    lineage.begin(NODES)
    lineage.mark(old)
    assert sentinel_of(old).generation == 0
    assert sentinel_of(node()) is None


def test_a_graph_spent_late_is_held_from_then_on():
    job = Job()
    job.iterate(keep=True, spend=False)
    job.iterate(keep=False)
    assert job.counts() == (1, 0)
    job.lineage.spend(0, sentinel_of(job.kept[0]))
    assert job.counts() == (1, 1)


@given(st.permutations(range(8)), st.integers(0, 8))
def test_held_before_a_generation_whatever_the_order_of_spending(order, before):
    job = Job()
    for _ in range(8):
        job.iterate(keep=True, spend=False)
    for generation in order:
        job.lineage.spend(generation, sentinel_of(job.kept[generation]))
    assert job.lineage.held(before) == before


@pytest.mark.parametrize("kept", [10_000, 100_000])
def test_of_very_many_live_generations_samples_are_watched(kept):
    job = Job()
    for _ in range(kept):
        job.iterate(keep=True)
    live, held = job.counts()
    assert (live, held) == (pytest.approx(kept, rel=0.01), pytest.approx(kept, rel=0.01))
    assert sum(sentinel_of(root) is not None for root in job.kept) < 30_000
    job.kept.clear()
    gc.collect()
    assert job.counts() == (0, 0)


def test_whether_a_generation_was_spent_is_known_of_the_latest():
    lineage = Lineage(0)
    for number in range(10_000):
        if number % 2:
            lineage.spend(number)
        lineage.begin(number)
    assert [lineage.was_spent(number) for number in (9_999, 9_998, 9_001, 9_000)] == [
        True,
        False,
        True,
        False,
    ]
    assert lineage.was_spent(0)  # too long ago to be known: assumed
