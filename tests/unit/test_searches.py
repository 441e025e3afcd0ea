"""How often names may be searched for, by what it takes."""

from __future__ import annotations

import time

import pytest

from gradwatch_agent.diagnosis.searches import Searches


@pytest.fixture
def make(monkeypatch):
    """Makes a search of so many seconds, whatever the machine is doing."""
    clock = [0.0]
    monkeypatch.setattr(time, "thread_time", lambda: clock[0])

    def search(searches: Searches, seconds: float) -> None:
        with searches.timed():
            clock[0] += seconds

    return search


def test_names_are_noted_in_the_first_iterations_though_the_process_is_large(make):
    searches = Searches(thorough=False)
    for _ in range(3):  # what is carried into the fourth is known by the third's names alone
        assert searches.may_note
        make(searches, 0.09)


def test_names_are_noted_no_more_where_that_is_dear(make):
    searches = Searches(thorough=False)
    make(searches, 0.3)
    assert not searches.may_note
    assert searches.may_be_made


def test_all_searches_of_a_run_take_two_seconds_and_a_thousandth_of_its_time(make):
    searches = Searches(thorough=False)
    for _ in range(25):
        make(searches, 0.1)
    assert not searches.may_be_made
    assert Searches(thorough=True).may_be_made
