"""Time under the curves instead of iterations."""

from __future__ import annotations

import pytest

from gradwatch.tui.figures import figures
from gradwatch.tui.past import Past
from gradwatch.tui.timeline import Timeline, timeline
from gradwatch.tui.zoom import Zoom

from . import histories
from .stage import MIDDLE, SMALL, staged
from .test_verdict import folded


def test_each_iteration_stands_where_it_ended():
    line = Timeline([0, 1, 2, 3], [110.0, 111.0, 115.0, 116.0], 100.0)
    assert [line.seconds(number) for number in (0, 1, 2, 2.5, 3)] == [10, 11, 15, 15.5, 16]
    assert [line.iteration(seconds) for seconds in (10, 11, 13, 15, 16)] == [0, 1, 1.5, 2, 3]


def test_beyond_what_is_known_it_goes_on_as_on_the_whole():
    line = Timeline([10, 20], [110.0, 130.0], 100.0)
    assert (line.seconds(30), line.seconds(5)) == (50, 0)
    assert (line.iteration(50), line.iteration(0)) == (30, 5)


def test_a_clock_that_was_set_back_makes_no_curve_go_back():
    line = Timeline([0, 1, 2], [105.0, 90.0, 108.0], 100.0)
    assert [line.seconds(number) for number in range(3)] == [5, 5, 8]


def test_before_two_moments_are_known_there_is_no_time():
    assert timeline(folded(histories.healthy(1))) is None
    assert [f.x.name for f in figures(Past(folded(histories.healthy(1))), by_time=True)] == [
        "iteration"
    ] * 4


def test_whatever_stood_over_an_iteration_stands_over_its_time():
    job = folded(histories.chain(100))
    plain = figures(Past(job), Zoom(cross=50))
    over_time = figures(Past(job), Zoom(cross=50), by_time=True)
    for before, after in zip(plain, over_time, strict=True):
        assert round(after.x.iteration(after.cross)) == 50
        assert [round(after.x.iteration(flag.x)) for flag in after.flags] == [
            flag.x for flag in before.flags
        ]
        for old, new in zip(before.left.curves, after.left.curves, strict=True):
            assert list(old.ys) == list(new.ys)
            assert sorted(new.xs) == list(new.xs)


@pytest.mark.parametrize("size", [SMALL, MIDDLE])
async def test_i_changes_what_is_under_the_curves_and_back(size):
    async with staged(histories.chain().keyed(), size=size) as stage:
        assert "iteration 311" in stage.text
        await stage.press("i")
        assert "47 s" in stage.text
        assert "iteration 311" not in stage.text
        await stage.press("x", "left")
        assert "time 18 s" in stage.text
        await stage.press("escape", "i")
        assert "iteration 311" in stage.text


async def test_seconds_can_be_told_apart_after_the_first_minute():
    async with staged(histories.chain(1_000).keyed()) as stage:
        await stage.press("plus", "plus", "plus", "plus", "plus", "i")
        axis = next(row for row in stage.text.splitlines() if "time 4:" in row)
        assert axis.split()[:4] == ["4:34", "4:41", "time", "4:49"]
