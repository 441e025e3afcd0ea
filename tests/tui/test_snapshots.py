"""Whole screens as text, compared with what is kept in `snapshots/`.

After a wanted change: GRADWATCH_UPDATE_SNAPSHOTS=1 pytest tests/tui/test_snapshots.py, then
look at the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.cells import cell_len

from gradwatch.model import Link

from . import histories
from .stage import LARGE, MIDDLE, SMALL, staged

KEPT = Path(__file__).parent / "snapshots"
TINY = (60, 20)


def lost():
    scene = histories.chain()
    return [*scene.keyed(), (scene.key, Link(up=False, why="no beat for 3 s", at=scene.now + 3))]


SCENES = {
    "healthy": lambda: histories.healthy().keyed(),
    "recurrent": lambda: histories.recurrent().keyed(),
    "chain": lambda: histories.chain().keyed(),
    "held": lambda: histories.held().keyed(),
    "crashed": lambda: histories.crashed().keyed(),
    "lost": lost,
    "several": histories.several,
    "none": list,
}


def compare(name: str, shown: str) -> None:
    """The screen against the kept one; or keeps it, if that was asked for."""
    path = KEPT / f"{name}.txt"
    if os.environ.get("GRADWATCH_UPDATE_SNAPSHOTS"):
        KEPT.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE, TINY], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("scene", SCENES)
async def test_a_screen_looks_as_it_did(scene, size):
    async with staged(SCENES[scene](), size=size) as stage:
        await stage.wait(2.0)
        compare(f"{scene}-{size[0]}x{size[1]}", stage.text)
        lines = stage.text.splitlines()
        assert len(lines) <= size[1]
        assert all(cell_len(line) <= size[0] for line in lines)


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE, TINY], ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("scene", ["chain", "held", "crashed"])
async def test_a_diagnosis_looks_as_it_did(scene, size):
    async with staged(SCENES[scene](), size=size) as stage:
        await stage.wait(2.0)
        await stage.press("enter")
        compare(f"diagnosis-{scene}-{size[0]}x{size[1]}", stage.text)


async def test_the_help_looks_as_it_did():
    async with staged(histories.chain().keyed(), size=SMALL) as stage:
        await stage.press("question_mark")
        compare("help-80x24", stage.text)


async def test_the_lists_of_a_small_screen_look_as_they_did():
    async with staged(histories.chain().keyed(), size=SMALL) as stage:
        await stage.press("tab", "down")
        compare("lists-80x24", stage.text)
