"""Curves in cells: never wider than asked, true to the values, calm about the odd ones."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwatch.tui import units
from gradwatch.tui.curves import Axis, Curve, Figure, Limit
from gradwatch.tui.plots import draw, spark
from gradwatch.tui.raster import columns

VALUES = st.one_of(
    st.none(),
    st.floats(),
    st.integers(min_value=0, max_value=2**64),
    st.floats(min_value=0, max_value=1e12),
)
MARKS = st.sampled_from(["line", "dotted", "solid", "sparse"])


def text(rows):
    return ["".join(part for part, _ in row) for row in rows]


def figure(ys, *, mark="line", span=None, limits=(), **more):
    xs = range(len(ys))
    span = span or (0.0, float(max(len(ys) - 1, 1)))
    return Figure(
        "a title", "t", span, Axis((Curve("c", "new", xs, ys, mark, "1"),), limits=limits, **more)
    )


def dots(rows):
    """Height of the highest dot in each half column of a drawn plot, 0 for none."""
    body = [row[9:] for row in text(rows)[1:-1]]
    bits = [(0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08)]
    heights = []
    for x in range(len(body[0])):
        for side in bits:
            found = [
                4 * (len(body) - 1 - y) + level + 1
                for y, row in enumerate(body)
                for level, bit in enumerate(side)
                if 0x2800 <= ord(row[x]) < 0x2900 and (ord(row[x]) - 0x2800) & bit
            ]
            heights.append(max(found, default=0))
    return heights


@given(
    st.lists(st.lists(VALUES, max_size=60), min_size=1, max_size=2),
    MARKS, st.integers(0, 130), st.integers(0, 20), st.booleans(), st.booleans(),
    st.one_of(st.none(), st.floats(min_value=1, max_value=1e13)),
)  # fmt: skip
def test_always_exactly_as_big_as_asked(series, mark, width, height, zero, cut, limit):
    limits = () if limit is None else (Limit("limit", limit),)
    axes = [
        Axis((Curve("c", "new", range(len(ys)), ys, mark, "9.9 k"),), units.size, limits, zero, cut)
        for ys in series
    ]
    rows = draw(Figure("a title", "t", (0.0, 59.0), *axes), width, height)
    assert [len(row) for row in text(rows)] == [width] * height
    assert "nan" not in "".join(text(rows))


def test_where_a_curve_climbs_to_is_seen_though_a_peak_is_cut():
    climbing = [1_000.0, *range(100, 200)]
    rows = draw(figure(climbing, cut_peaks=True), 60, 12)
    assert "peak 1 k" in text(rows)[0]
    heights = dots(rows)
    assert heights[-1] > heights[-20] > heights[2]


@given(st.lists(st.floats(min_value=0, max_value=1e9), min_size=2, max_size=300), MARKS)
def test_rising_data_gives_rising_columns(values, mark):
    heights = dots(draw(figure(sorted(values), mark=mark), 60, 10))
    # Sparse and dotted marks leave dots out; what they show rises all the same, cell by cell.
    step = 1 if mark in ("line", "solid") else 2
    cells = [max(heights[i : i + step]) for i in range(0, len(heights), step)]
    slack = 0 if step == 1 else 1
    assert all(b >= a - slack for a, b in pairwise(cells))


@given(st.lists(st.floats(min_value=0, max_value=1e9), min_size=1, max_size=300))
def test_every_column_is_between_the_lowest_and_the_highest(values):
    found = columns(range(len(values)), values, (0.0, float(len(values))), 40)
    assert all(pair is not None for pair in found[:1])
    shown = [pair for pair in found if pair is not None]
    slack = 1e-6 * max(values)
    assert all(min(values) - slack <= low <= high <= max(values) + slack for low, high in shown)


@given(st.lists(st.floats(min_value=0, max_value=1e9), min_size=1, max_size=500))
def test_no_extreme_is_lost_between_columns(values):
    found = [p for p in columns(range(len(values)), values, (0.0, len(values) - 1.0), 40) if p]
    assert min(low for low, _ in found) == min(values)
    assert max(high for _, high in found) == max(values)


def test_none_is_a_gap_and_no_line_crosses_it():
    heights = dots(draw(figure([5.0] * 20 + [None] * 20 + [5.0] * 20), 69, 8))
    assert heights[:20] == [heights[0]] * 20
    assert set(heights[44:78]) == {0}
    assert heights[-1] == heights[0]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, 1e308])
def test_what_is_no_number_is_a_gap(odd):
    assert columns(range(3), [1.0, odd, 3.0], (0, 3), 3) == [(1.0, 1.0), None, (3.0, 3.0)]


def test_between_points_the_line_is_straight():
    found = columns([0, 10], [0.0, 10.0], (0, 10), 10)
    assert found == [(0.0, 0.0), *((x + 0.5, x + 0.5) for x in range(1, 9)), (10.0, 10.0)]


def test_all_zero_lies_on_the_ground():
    rows = text(draw(figure([0.0] * 30), 60, 8))
    assert set(dots(draw(figure([0.0] * 30), 60, 8))) == {1}
    assert rows[1].split()[0] == "1"
    assert rows[-2].split()[0] == "0"


def test_an_area_of_nothing_draws_nothing():
    assert set(dots(draw(figure([0.0] * 30, mark="solid"), 60, 8))) == {0}


def test_one_point_is_one_dot():
    assert sum(1 for height in dots(draw(figure([7.0]), 60, 8)) if height) == 1


def test_nothing_measured_is_said():
    empty = Figure("a title", "t", (0.0, 1.0), Axis(), note="not counted yet")
    assert "not counted yet" in "\n".join(text(draw(empty, 60, 8)))


@pytest.mark.parametrize(
    ("width", "title"),
    [
        (60, "graphs kept alive  ⠤⠤ RSS 512 MB/64 GB ╌╌ forecast"),
        (46, "graphs kept  ⠤⠤ RSS 512 MB/64 GB ╌╌ forecast"),
        (40, "kept  ⠤⠤ RSS 512 MB/64 GB ╌╌ forecast"),
        (34, "kept  ⠤⠤ RSS 512 MB ╌╌ forecast"),
        (20, "kept  ⠤⠤ RSS 512 MB"),
    ],
)
def test_a_plot_keeps_a_title_its_legend_gives_way(width, title):
    ys = [1.0, 2.0]
    known = Curve("RSS", "rss", range(2), ys, now="512 MB/64 GB", brief="512 MB")
    axis = Axis((known, Curve("forecast", "rss", range(2), ys, "dashed")))
    rows = draw(Figure("graphs kept alive", "graphs kept", (0.0, 1.0), axis), width, 8)
    assert " ".join(text(rows)[0].split()) == " ".join(title.split())


def test_half_a_byte_has_no_label():
    axis = Axis((Curve("c", "new", (0, 1), (0.0, 0.0)),), units.size)
    rows = draw(Figure("a", "a", (0.0, 1.0), axis), 40, 8)
    assert "".join(text(rows)).count("0 B") == 1


def test_a_near_limit_is_drawn_and_a_far_one_left_out():
    near = text(draw(figure([3.0, 4.0], limits=(Limit("limit 5 GB", 5.0),)), 60, 10))
    far = text(draw(figure([3.0, 4.0], limits=(Limit("limit 64 GB", 64.0),)), 60, 10))
    assert any("limit 5 GB ┈┈┈" in row for row in near)
    assert "limit" not in "".join(far)
    assert far[1].split()[0] == "4"


def test_a_lonely_peak_does_not_flatten_the_rest_and_is_named():
    rows = text(draw(figure([300.0] + [10.0] * 99, cut_peaks=True), 60, 10))
    assert "peak 300" in rows[0]
    assert rows[1].split()[0] == "10"


def test_a_curve_far_above_zero_gets_its_own_ground_if_it_may():
    raised = text(draw(figure([400.0, 460.0], from_zero=False), 60, 10))
    grounded = text(draw(figure([400.0, 460.0]), 60, 10))
    assert raised[-2].split()[0] != "0"
    assert grounded[-2].split()[0] == "0"


def test_noise_far_above_zero_looks_flat():
    heights = dots(draw(figure([500.0, 500.4] * 50, from_zero=False), 60, 10))
    assert max(heights) - min(heights) <= 1


def test_plots_of_one_width_stand_aligned():
    wide = text(draw(figure([1.0, 1e9]), 60, 8))
    small = text(draw(figure([1.0, 2.0]), 60, 8))
    assert [row.index("│") if "│" in row else row.index("┤") for row in wide[1:-1]] == [8] * 6
    assert wide[-1] == small[-1]


@pytest.mark.parametrize(
    ("width", "legend"), [(60, "⠤⠤ RSS x ⠄⠄ GPU (right) y"), (26, "⠤⠤ RSS x ⠄⠄ GPU y")]
)
def test_two_scales_have_their_labels_at_both_ends(width, legend):
    left = Axis((Curve("RSS", "rss", [0, 9], [4e8, 5e8], now="x"),), units.size)
    right = Axis((Curve("GPU", "device", [0, 9], [1e9, 9e9], "dotted", "y"),), units.size)
    rows = text(draw(Figure("memory", "m", (0.0, 9.0), left, right), width, 8))
    assert rows[0].endswith(legend)
    assert rows[1].split()[:2] == ["500", "MB"]
    assert rows[1].split()[-2:] == ["10", "GB"]


@pytest.mark.parametrize("mark", ["solid", "sparse"])
def test_the_crosshair_is_seen_over_an_area(mark):
    filled = replace(figure([5.0] * 100, mark=mark), cross=50.0)
    assert [row[9:].count("│") for row in text(draw(filled, 60, 8))[1:-1]] == [1] * 6


def test_a_line_goes_over_the_crosshair():
    crossed = draw(replace(figure([5.0] * 100), cross=50.0), 60, 8)
    assert sum(row[9:].count("│") for row in text(crossed)[1:-1]) == 5
    assert all(dots(crossed))


def test_iterations_stand_under_the_ends():
    row = text(draw(figure([1.0, 2.0], span=(0.0, 311.0)), 60, 8))[-1]
    assert row.split() == ["0", "156", "iteration", "311"]
    assert row.endswith("311")


@given(st.lists(VALUES, max_size=100), st.integers(1, 30))
def test_a_spark_is_as_wide_as_asked(values, width):
    assert len("".join(part for part, _ in spark(values, width, "new"))) == width


@pytest.mark.parametrize("value", [1, 11, 14, 41, 1_204])
def test_a_flat_spark_looks_the_same_whatever_its_height(value):
    assert text([spark([value] * 9, 4, "new")]) == ["⠉⠉⠉⠉"]
