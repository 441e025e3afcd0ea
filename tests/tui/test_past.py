"""Going through a job's past: zoom, scroll, crosshair, flags, forecast, filter."""

from __future__ import annotations

import re

import pytest

from gradwatch.model import Job
from gradwatch.tui.figures import figures, whole
from gradwatch.tui.forecast import forecast
from gradwatch.tui.marks import flags
from gradwatch.tui.past import Past
from gradwatch.tui.plots import draw
from gradwatch.tui.screens.jobs import JobsScreen
from gradwatch.tui.zoom import Zoom
from gradwatch_agent import wire

from . import histories
from .stage import LARGE, MIDDLE, staged

ALL = (0.0, 1_000.0)


def job_of(scene: histories.Scene) -> Job:
    job = Job("1000")
    for event in scene.events:
        job.fold(event)
    return job


def test_everything_is_shown_and_the_newest_followed():
    assert Zoom().shown(ALL) == ALL
    assert Zoom(width=100.0).shown(ALL) == (900.0, 1_000.0)
    assert Zoom(width=100.0).shown((0.0, 1_200.0)) == (1_100.0, 1_200.0)


def test_what_is_looked_at_stands_though_the_job_goes_on():
    scrolled = Zoom(width=100.0).moved(-1, ALL)
    assert scrolled.shown(ALL) == scrolled.shown((0.0, 5_000.0)) == (875.0, 975.0)


def test_nearer_and_farther():
    near = Zoom().zoomed(1, ALL)
    assert near.shown(ALL) == (500.0, 1_000.0)
    assert near.zoomed(-1, ALL) == Zoom()
    assert Zoom().zoomed(30, ALL).shown(ALL) == (990.0, 1_000.0)
    assert Zoom().zoomed(3, (0.0, 1.0)).shown((0.0, 1.0)) == (0.0, 1.0)


def test_the_crosshair_stays_where_it_is_while_zooming():
    zoom = Zoom(cross=400.0)
    for _ in range(4):
        first, last = zoom.shown(ALL)
        zoom = zoom.zoomed(1, ALL)
        nearer = zoom.shown(ALL)
        assert (400 - nearer[0]) / (nearer[1] - nearer[0]) == pytest.approx(
            (400 - first) / (last - first)
        )


def test_scrolling_ends_at_either_end():
    zoom = Zoom(width=100.0)
    for _ in range(80):
        zoom = zoom.moved(-1, ALL)
    assert zoom.shown(ALL) == (0.0, 100.0)
    for _ in range(80):
        zoom = zoom.moved(1, ALL)
    assert zoom == Zoom(width=100.0)


def test_the_crosshair_takes_what_is_shown_along():
    zoom = Zoom(width=60.0, cross=945.0)
    for _ in range(100):
        zoom = zoom.moved(-1, ALL)
    assert zoom.cross == 845.0
    assert zoom.shown(ALL)[0] == 845.0


async def test_plus_shows_less_and_zero_everything_again():
    async with staged(histories.chain(1_000).keyed()) as stage:
        assert "ZOOMED" not in stage.text
        await stage.press("plus", "plus")
        assert "ZOOMED" in stage.text
        assert "749" in stage.text
        await stage.press("left")
        assert "iteration 937" in stage.text
        await stage.press("0")
        assert "ZOOMED" not in stage.text
        assert "iteration 999" in stage.text


async def test_escape_first_leaves_the_zoom_then_the_job():
    async with staged(histories.chain(1_000).keyed()) as stage:
        await stage.press("plus", "escape")
        assert "ZOOMED" not in stage.text
        await stage.press("escape")
        assert isinstance(stage.app.screen, JobsScreen)


async def test_x_calls_the_crosshair_with_the_values_there():
    async with staged(histories.chain(101).keyed()) as stage:
        assert "stale 1,000" not in stage.text
        await stage.press("x")
        assert "iteration 50" in stage.text
        assert "stale 500" in stage.text
        await stage.press("right", "l")
        assert "iteration 54" in stage.text
        assert "stale 540" in stage.text
        await stage.press("x")
        assert "stale 540" not in stage.text


async def test_the_mouse_points_at_values_and_takes_them_away():
    async with staged(histories.chain(101).keyed(), size=LARGE) as stage:
        await stage.pilot.hover("Plot", offset=(60, 3))
        await stage.pilot.pause()
        shown = re.search(r"iteration (5\d) ", stage.text)
        assert shown
        assert f"stale {shown[1]}0" in stage.text
        await stage.pilot.hover("#verdict")
        await stage.pilot.pause()
        assert f"stale {shown[1]}0" not in stage.text


@pytest.mark.parametrize(("one", "other"), [(400.0, 600.0), (600.0, 400.0), (0.0, 30.0)])
def test_what_was_drawn_over_is_shown(one, other):
    assert Zoom(cross=3.0).spanning(one, other, ALL).shown(ALL) == (
        min(one, other),
        max(one, other),
    )


def test_no_fewer_than_ten_iterations_are_shown_and_the_end_follows_the_job():
    assert Zoom().spanning(400.0, 401.0, ALL).shown(ALL) == (391.0, 401.0)
    assert Zoom().spanning(900.0, ALL[1], ALL).end is None


async def test_a_part_of_a_plot_is_drawn_over_with_the_mouse():
    async with staged(histories.chain(1_001).keyed(), size=LARGE) as stage:
        await stage.pilot.mouse_down("Plot", offset=(60, 3))
        await stage.pilot.hover("Plot", offset=(40, 3))
        await stage.pilot.mouse_up("Plot", offset=(40, 3))
        await stage.pilot.pause()
        first, last = stage.app.screen._zoom.shown((0.0, 1_001.0))
        assert 0 < first < 500 < last < 1_000
        await stage.pilot.mouse_down("Plot", offset=(50, 3))
        await stage.pilot.mouse_up("Plot", offset=(50, 3))
        await stage.pilot.pause()
        assert stage.app.screen._zoom.shown((0.0, 1_001.0)) == (first, last)
        await stage.press("0")
        assert stage.app.screen._zoom.is_whole


async def test_a_frozen_display_shows_nothing_newer_though_it_is_zoomed():
    scene = histories.chain(200)
    async with staged(scene.keyed()) as stage:
        await stage.press("space")
        had = len(scene.events)
        for _ in range(100):
            scene.step(new=77_777, stale=5)
        await stage.feed(scene.keyed()[had:])
        await stage.press("plus", "plus")
        assert "iteration 199" in stage.text
        assert "299" not in stage.text
        assert "78 k" not in stage.text
        await stage.press("space")
        await stage.wait(1.0)
        assert "iteration 299" in stage.text


async def test_types_are_told_over_what_is_in_sight():
    async with staged(histories.chain(1_000).keyed()) as stage:
        assert "in 100 its" in stage.text
        await stage.press("plus", "left")
        assert "in 500 its" in stage.text


async def test_the_list_of_types_says_which_iteration_it_is_of():
    async with staged(histories.chain(2_000).keyed()) as stage:
        for keys, when, adds in (
            (["plus"], "now", "8,001"),
            (["left"], "at 1,749", "7,001"),
            (["0", "x"], "at 1,000", "4,005"),
            (["x"], "now", "8,001"),
        ):
            await stage.press(*keys)
            assert re.search(rf"nodes by type +{when} .*\n.*AddBackward0 +{adds} ", stage.text)


async def test_backwards_are_filtered_by_typing():
    scene = histories.chain(30)
    scene.events.append(
        wire.Backward(at=scene.now, iteration=30, root="SumBackward0", file="eval.py", line=3,
                      error="RuntimeError: a second time")
    )  # fmt: skip
    async with staged(scene.keyed(), size=MIDDLE) as stage:
        await stage.press("slash", *"failed")
        table = stage.app.screen.query_one("#backwards")
        assert [call.line for call in table._items] == [3]
        await stage.press("enter")
        assert table.has_focus
        await stage.press("escape")
        assert len(table._items) == 31
        await stage.press("slash", *"train.py:24 29")
        assert [call.iteration for call in table._items] == [29]


def test_findings_are_flagged_where_they_began_and_where_they_were_resolved():
    scene = histories.chain(50)
    told_at = "2025-10-09T08:53:23.000Z"
    scene.find("graph-chain", "critical", "over", state="resolved", time=told_at)
    job = job_of(scene)
    assert [(flag.x, flag.glyph) for flag in flags(job)] == [(2, "▲"), (flags(job)[1].x, "✓")]
    assert 2 < flags(job)[1].x < 49


def climbing(rss_bytes: int = 10_000_000) -> Job:
    scene = histories.Scene(gpu=False, limit_bytes=10_000_000_000)
    for i in range(200):
        scene.step(rss_bytes=1_000_000_000 + rss_bytes * i)
    eta = (10_000_000_000 - 3_000_000_000) // 10_000_000
    time = "2099-01-01T00:00:00.000Z"
    scene.find("memory-climb", "warning", "m", eta_iterations=eta, time=time)
    return job_of(scene)


def test_a_forecast_rises_from_the_newest_value_towards_the_limit():
    job = climbing()
    memory = figures(Past(job))[2]
    coming = memory.left.curves[1]
    assert coming.name == "forecast"
    assert coming.xs[0] == 195
    assert memory.span[1] == coming.xs[1] > whole(job)[1]
    assert (coming.ys[1] - coming.ys[0]) / (coming.xs[1] - coming.xs[0]) == pytest.approx(
        10_000_000, rel=0.05
    )


def test_a_plot_that_goes_on_beyond_now_says_so():
    plots = figures(Past(climbing()))
    ends = ["".join(text for text, _ in draw(plot, 60, 8)[-1]).strip() for plot in plots]
    assert [end.split()[2:] for end in ends] == [
        ["iteration", "199"], ["iteration", "199"], ["forecast", "to", "261"], ["iteration", "199"]
    ]  # fmt: skip


def test_a_curve_that_does_not_climb_gets_no_forecast():
    assert len(figures(Past(climbing(rss_bytes=0)))[2].left.curves) == 1
    job = climbing()
    assert forecast(job, [0, 1], [1.0, 2.0], None, 10.0) is None
    assert forecast(job, [], [], 5.0, 10.0) is None


def test_in_the_past_there_is_no_forecast():
    assert len(figures(Past(climbing()), Zoom(width=50.0, end=100.0))[2].left.curves) == 1
