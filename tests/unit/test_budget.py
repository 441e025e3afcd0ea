"""The governor: the share is kept, and idle time buys no burst. Time is simulated."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch_agent.loop.budget import Budget

CAP_S = 0.05
"""The most that may be saved up, as the module says."""


class Loop:
    """Training whose iterations take `step_s`; work costs `cost_s` wherever it is allowed."""

    def __init__(self, share: float) -> None:
        self.now = 100.0
        self.budget = Budget(share, self.now)
        self.worked: list[bool] = []

    def run(
        self,
        iterations: int,
        step_s: float,
        cost_s: float,
        always_s: float = 0.0,
        apart_s: float = 0.0,
    ) -> None:
        for _ in range(iterations):
            self.now += step_s
            self.budget.apart_s += apart_s
            self.budget.spend_in_passing(always_s)
            allowed = self.budget.allows(self.now)
            self.worked.append(allowed)
            if allowed:
                self.now += cost_s
                self.budget.spend(cost_s)


@given(
    share=st.floats(0.001, 0.5),
    step_s=st.floats(0.0001, 1.0),
    cost_s=st.floats(0.0001, 0.2),
)
def test_over_a_long_run_the_share_is_kept(share, step_s, cost_s):
    loop = Loop(share)
    loop.run(1_000, step_s, cost_s)
    assert loop.budget.spent_s <= share * (loop.now - 100.0) + cost_s


def test_a_calm_job_is_asked_for_half_of_it():
    loop = Loop(0.01)
    loop.run(100_000, step_s=0.001, cost_s=0.001)
    assert loop.budget.spent_s == pytest.approx(0.005 * (loop.now - 100.0), rel=0.05)


def test_where_something_is_the_matter_all_of_it_is_used():
    budget, now, spent_s = Budget(0.01, 0.0), 0.0, 0.0
    for _ in range(100_000):
        now += 0.001
        if budget.allows(now, calm=False):
            budget.spend(0.001)
            spent_s += 0.001
    assert spent_s == pytest.approx(0.01 * now, rel=0.05)


def test_what_hooks_take_anyway_is_paid_first():
    loop = Loop(0.01)
    loop.run(100_000, step_s=0.001, cost_s=0.001, always_s=0.000004)
    assert loop.budget.spent_s == pytest.approx(0.005 * (loop.now - 100.0), rel=0.05)


def test_where_that_is_too_much_a_tenth_is_left_for_looking():
    loop = Loop(0.01)
    loop.run(100_000, step_s=0.001, cost_s=0.001, always_s=0.00005)
    assert sum(loop.worked) * 0.001 == pytest.approx(0.0005 * (loop.now - 100.0), rel=0.05)


def test_the_agents_own_thread_is_paid_first_too():
    loop = Loop(0.01)
    loop.run(100_000, step_s=0.001, cost_s=0.001, apart_s=0.000004)
    assert loop.budget.spent_s == pytest.approx(0.005 * (loop.now - 100.0), rel=0.05)


def test_where_the_thread_takes_all_a_tenth_is_left_for_looking():
    loop = Loop(0.01)
    loop.run(100_000, step_s=0.001, cost_s=0.001, apart_s=0.00005)
    assert sum(loop.worked) * 0.001 == pytest.approx(0.0005 * (loop.now - 100.0), rel=0.05)


def test_an_idle_hour_buys_no_burst():
    loop = Loop(0.01)
    loop.now += 3_600
    loop.run(1_000, step_s=0.0, cost_s=0.001)
    assert sum(loop.worked) * 0.001 == pytest.approx(CAP_S, abs=0.002)


def test_an_overdraft_is_paid_back():
    loop = Loop(0.01)
    loop.budget.spend(0.05)
    loop.run(20, step_s=1.0, cost_s=0.0)
    assert loop.worked == [False] * 10 + [True] * 10


def test_no_budget_allows_nothing():
    loop = Loop(0.0)
    loop.run(1_000, step_s=1.0, cost_s=0.001)
    assert not any(loop.worked)


def test_the_share_told_is_that_of_the_last_seconds():
    loop = Loop(1.0)
    loop.run(10, step_s=1.0, cost_s=0.0, always_s=0.2)
    assert loop.budget.share(loop.now) == pytest.approx(0.2)
    loop.run(10, step_s=1.0, cost_s=0.0, always_s=0.0)
    assert loop.budget.share(loop.now) == 0.0
    assert loop.budget.share(loop.now + 1.0) == 0.0


def test_the_share_is_told_from_the_start():
    budget = Budget(0.01, now=0.0)
    budget.spend(0.01)
    assert budget.share(1.0) == pytest.approx(0.01)
