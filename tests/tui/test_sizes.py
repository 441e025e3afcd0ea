"""From the smallest terminal to the largest nothing lies over anything else."""

from __future__ import annotations

from itertools import combinations

import pytest
from rich.cells import cell_len

from gradwatch.tui.output import Output

from . import histories
from .stage import staged

SIZES = [(60, 20), (77, 29), (78, 30), (80, 24), (109, 31), (110, 35), (159, 40), (200, 50),
         (300, 80), (300, 20), (60, 80)]  # fmt: skip
SCREENS = {
    "job": (lambda: histories.chain().keyed(), ()),
    "held": (lambda: histories.held().keyed(), ("tab",)),
    "diagnosis": (lambda: histories.chain().keyed(), ("enter",)),
    "jobs": (histories.several, ()),
    "crashed": (lambda: histories.crashed().keyed(), ()),
}


def in_sight(app):
    """The widgets that draw, each with the part of it that is seen."""
    for widget, geometry in app.screen._compositor.visible_widgets.items():
        region, clip = geometry
        seen = region.intersection(clip)
        if not widget.is_container and seen.area:
            yield widget, seen


def is_laid_out(stage, size):
    """Nothing lies over anything else, or beyond the edge."""
    assert stage.app.size == size
    seen = list(in_sight(stage.app))
    assert len(seen) > 3
    for (one, here), (other, there) in combinations(seen, 2):
        assert here.intersection(there).area == 0, (size, one, other)
    assert all(stage.app.screen.region.contains_region(region) for _, region in seen), size
    lines = stage.text.splitlines()
    assert len(lines) <= size[1]
    assert all(cell_len(line) <= size[0] for line in lines), size


@pytest.mark.parametrize("screen", SCREENS)
async def test_nothing_lies_over_anything_else_or_beyond_the_edge(screen):
    scene, keys = SCREENS[screen]
    async with staged(scene(), size=SIZES[0]) as stage:
        await stage.wait(2.0)
        await stage.press(*keys)
        for size in (*SIZES, SIZES[0]):
            await stage.resize(*size)
            is_laid_out(stage, size)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
async def test_the_verdict_and_a_way_out_are_always_in_sight(size):
    async with staged(histories.chain().keyed(), size=size) as stage:
        await stage.wait(2.0)
        is_laid_out(stage, size)
        assert "GRAPH GROWS" in stage.text
        assert "Yest" in stage.text
        assert "q quit" in stage.text


@pytest.mark.parametrize("keys", [(), ("enter",), ("j",)])
@pytest.mark.parametrize("width", [60, 77, 78, 109, 110])
async def test_with_a_pane_there_is_room_for_the_way_out(width, keys):
    output = Output(lambda: b"x")
    async with staged(histories.chain().keyed(), size=(width, 24), output=output) as stage:
        await stage.wait(0.3)
        await stage.press(*keys)
        assert "q quit" in stage.text


async def test_it_can_be_drawn_larger_and_smaller_while_it_runs():
    async with staged(histories.chain().keyed(), size=(300, 80)) as stage:
        for size in [*SIZES, *reversed(SIZES)]:
            await stage.resize(*size)
            assert max(map(cell_len, stage.text.splitlines())) <= size[0]
            assert "GRAPH GROWS" in stage.text


@pytest.mark.parametrize("width", [80, 100, 120, 160])
async def test_all_four_curves_are_seen_whole_at_first(width):
    async with staged(histories.chain().keyed(), size=(width, 24)) as stage:
        for height in (24, 28, 30, 31, 35, 41):
            await stage.resize(width, height)
            body = stage.app.screen.query_one("#body").region
            plots = [plot.region for plot in stage.app.screen.query(".plot")]
            assert all(body.contains_region(plot) for plot in plots), height
            assert all(plot.height >= 7 for plot in plots), height
