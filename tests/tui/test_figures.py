"""Which numbers become curves."""

from __future__ import annotations

from gradwatch.model import Job
from gradwatch.tui.figures import figures
from gradwatch.tui.past import Past
from gradwatch.tui.zoom import Zoom
from gradwatch_agent import wire

from . import histories
from .test_verdict import folded


def test_a_chain_is_a_wedge_of_stale_nodes_over_few_new_ones():
    nodes, saved, memory, time = figures(Past(folded(histories.chain(100))))
    stale, new = nodes.left.curves
    assert list(stale.ys)[:3] == [14, 24, 34]
    assert set(new.ys) == {14}
    assert (stale.now, new.now) == ("990", "14")
    assert [figure.title for figure in (saved, memory, time)] == [
        "saved for backward", "process memory", "time of an iteration",
    ]  # fmt: skip
    assert {figure.span for figure in (nodes, saved, memory, time)} == {(0.0, 99.0)}


def test_held_graphs_take_the_place_of_saved_memory():
    _, kept, _, _ = figures(Past(folded(histories.held(100))))
    assert kept.title == "earlier graphs kept alive"
    assert list(kept.left.curves[1].ys) == list(range(100))


def test_iterations_without_a_census_leave_no_gap():
    scene = histories.Scene()
    for i in range(20):
        scene.step(new=100, census=i % 5 == 0)
    nodes, saved, _, _ = figures(Past(folded(scene)))
    assert list(nodes.left.curves[0].xs) == [0, 5, 10, 15]
    assert None not in saved.left.curves[0].ys


def test_what_was_not_counted_lately_goes_on_as_a_trace():
    scene = histories.Scene()
    for i in range(20):
        scene.step(new=100, census=i < 3)
    nodes, saved, _, _ = figures(Past(folded(scene)))
    for figure in (nodes, saved):
        trace = figure.left.curves[-1]
        assert (trace.name, trace.now) == ("last count", "")
        assert (list(trace.xs), trace.ink) == ([2, 19.0], "faint")


def test_a_count_that_is_as_good_as_one_of_now_has_no_trace():
    scene = histories.Scene()
    for i in range(100):
        scene.step(new=100, census=i < 96)
    nodes, saved, _, _ = figures(Past(folded(scene)))
    names = [curve.name for figure in (nodes, saved) for curve in figure.left.curves]
    assert names == ["stale", "new", "saved"]


def test_the_crosshair_tells_only_what_was_measured():
    scene = histories.Scene()
    for i in range(20):
        scene.step(new=100, census=i < 3)
    nodes, *_ = figures(Past(folded(scene)), Zoom(cross=10.0))
    assert [curve.now for curve in nodes.left.curves] == ["0", "100", ""]


def test_a_device_has_a_scale_of_its_own():
    _, _, memory, _ = figures(Past(folded(histories.healthy(20))))
    assert memory.title == "memory of process and device"
    assert [curve.name for axis in memory.axes for curve in axis.curves] == ["RSS", "GPU"]
    assert memory.right.curves[0].now == "41/85 GB"


def test_the_fullest_of_several_devices_is_drawn():
    scene = histories.healthy(20)
    devices = tuple(
        wire.DeviceMemory(name, used, 80_000_000_000)
        for name, used in (("a", 10_000_000_000), ("b", 70_000_000_000))
    )
    scene.events.append(wire.Memory(at=scene.now, iteration=19, rss_bytes=1, devices=devices))
    _, _, memory, _ = figures(Past(folded(scene)))
    curve = memory.right.curves[0]
    assert (curve.now, curve.ys[-1], curve.ys[0]) == ("70/80 GB", 70_000_000_000, None)


def test_a_device_the_driver_says_nothing_of_shows_the_allocator():
    scene = histories.healthy(20, gpu=False)
    devices = (wire.DeviceMemory("a", allocated_bytes=5_000_000, reserved_bytes=6_000_000),)
    scene.events.append(wire.Memory(at=scene.now, iteration=19, rss_bytes=1, devices=devices))
    _, _, memory, _ = figures(Past(folded(scene)))
    assert memory.right.curves[0].now == "6 MB"


def test_a_job_without_anything_says_so_in_each_figure():
    assert all(figure.note for figure in figures(Past(Job("x"))))


def test_only_the_first_training_thread_is_drawn():
    scene = histories.healthy(10)
    scene.events.append(wire.Iteration(number=3, at=scene.now, reached=9, lane=1))
    nodes, _, _, _ = figures(Past(folded(scene)))
    assert 9 not in nodes.left.curves[0].ys


def test_a_long_past_keeps_its_span():
    scene = histories.healthy(9_000)
    nodes, _, _, _ = figures(Past(folded(scene)))
    assert nodes.span[1] == 8_999.0
    assert nodes.span[0] <= 1.0
