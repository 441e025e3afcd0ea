"""Every key does what its first name does, and the palette offers what keys do."""

from __future__ import annotations

import pytest
from textual.binding import Binding

from gradwatch.tui.screens.diagnosis import DiagnosisScreen
from gradwatch.tui.screens.help import HelpScreen
from gradwatch.tui.screens.job import JobScreen
from gradwatch.tui.screens.jobs import JobsScreen
from gradwatch.tui.widgets.table import Table

from . import histories
from .stage import MIDDLE, Stage, staged

WAYS = {JobScreen: [], JobsScreen: ["j"], DiagnosisScreen: ["enter"], Table: ["tab", "tab", "down"]}
"""Keys from the beginning to where those of a screen or widget hold."""


def aliases() -> list:
    """Where they hold, the first key, another one; keys of one action are one key's names."""
    found = []
    for where in WAYS:
        first: dict[str, str] = {}
        for binding in where.BINDINGS:
            assert isinstance(binding, Binding)
            for key in binding.key.split(","):
                known = first.setdefault(binding.action, key)
                if key != known:
                    found.append(pytest.param(where, known, key, id=f"{where.__name__}-{key}"))
    return found


SEEN: dict[tuple[type, str], list] = {}
"""What a first key leads to, for all of its other names."""


async def after(where: type, key: str) -> list:
    scene = histories.chain(100)
    scene.find("graph-held", "warning", "Another one.", since_iteration=40)
    async with staged(scene.keyed(), size=MIDDLE) as stage:
        await stage.press(*WAYS[where])
        if where is JobScreen:
            await stage.press("plus", "left")
        before = looks(stage)
        await stage.press(key)
        await stage.wait(0.0)
        assert looks(stage) != before
        return looks(stage)


def looks(stage: Stage) -> list:
    """What is on the screen, with its colours."""
    strips = stage.app.screen._compositor.render_strips(stage.app.size)
    return [[(segment.text, str(segment.style)) for segment in strip] for strip in strips]


@pytest.mark.parametrize(("where", "first", "other"), aliases())
async def test_another_key_for_the_same_does_the_same(where, first, other):
    if (where, first) not in SEEN:
        SEEN[where, first] = await after(where, first)
    assert await after(where, other) == SEEN[where, first]


@pytest.mark.parametrize("where", [JobScreen, JobsScreen, DiagnosisScreen])
async def test_the_palette_offers_what_the_keys_of_the_screen_do(where):
    async with staged(histories.chain(50).keyed()) as stage:
        await stage.press(*WAYS[where])
        offered = {command.title for command in stage.app.get_system_commands(stage.app.screen)}
        keys = [binding for binding in where.BINDINGS if isinstance(binding, Binding)]
        assert {binding.tooltip for binding in keys if binding.tooltip} <= offered
        assert {"Jobs", "Pause", "Save", "Help", "Quit"} <= offered


async def test_a_command_of_the_palette_does_what_its_key_does():
    async with staged(histories.chain(50).keyed()) as stage:
        await stage.press("ctrl+p", *"explain", "enter")
        await stage.wait(0.5)
        assert isinstance(stage.app.screen, DiagnosisScreen)


async def test_a_click_closes_the_help():
    async with staged(histories.healthy().keyed()) as stage:
        await stage.press("question_mark")
        assert isinstance(stage.app.screen, HelpScreen)
        await stage.pilot.click(offset=(5, 5))
        await stage.wait(0.1)
        assert isinstance(stage.app.screen, JobScreen)


@pytest.mark.parametrize("key", ["escape", "question_mark", "enter", "h", "q"])
async def test_a_key_closes_the_help_and_nothing_else(key):
    async with staged(histories.healthy().keyed()) as stage:
        await stage.press("question_mark")
        await stage.press(key)
        await stage.wait(0.1)
        assert isinstance(stage.app.screen, JobScreen)
        assert stage.app.is_running


async def test_jobs_that_have_ended_are_cleared_from_the_list():
    done, other = histories.healthy(key="1", name="done"), histories.healthy(key="2", name="other")
    done.end("finished")
    async with staged([*done.keyed(), *other.keyed()]) as stage:
        assert "done" in stage.text
        await stage.press("c")
        await stage.wait(1.0)
        assert isinstance(stage.app.screen, JobsScreen)
        assert "done" not in stage.text
        assert "other" in stage.text


async def test_what_has_been_cleared_can_be_asked_for_no_more():
    scene = histories.crashed()
    async with staged(scene.keyed()) as stage:
        await stage.press("j", "c", "enter", "d")
        await stage.wait(1.0)
        assert isinstance(stage.app.screen, JobsScreen)
        assert "No job" in stage.text or "Looking" in stage.text


async def test_what_ended_while_nothing_moved_is_cleared_once_that_is_shown():
    scene = histories.chain(50)
    async with staged(scene.keyed()) as stage:
        await stage.press("space")
        had = len(scene.events)
        scene.end("finished")
        await stage.feed(scene.keyed()[had:])
        await stage.press("j", "c", "enter", "space")
        await stage.wait(1.0)
        assert isinstance(stage.app.screen, JobScreen)
        await stage.press("j", "c")
        assert scene.name not in stage.text


@pytest.mark.parametrize("keys", [["enter"], ["question_mark"]])
async def test_a_job_that_comes_is_announced_on_every_screen(keys):
    async with staged(histories.chain(50).keyed()) as stage:
        await stage.wait(5.0)
        await stage.press(*keys)
        await stage.feed(histories.healthy(key="2000", name="second").keyed())
        assert [toast.message for toast in stage.app._notifications] == [
            "A new job: second. Press j for all jobs."
        ]
