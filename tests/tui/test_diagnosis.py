"""The screen of one finding: how one gets there, what it says, what can be taken away from it."""

from __future__ import annotations

import pytest

from gradwatch.model import Link
from gradwatch.tui.screens.diagnosis import DiagnosisScreen
from gradwatch.tui.screens.job import JobScreen
from gradwatch.tui.screens.jobs import JobsScreen
from gradwatch_agent import wire

from . import histories
from .stage import SMALL, staged


async def test_enter_explains_the_verdict_and_escape_goes_back():
    async with staged(histories.chain().keyed()) as stage:
        assert "enter: why" in stage.text
        await stage.press("enter")
        assert isinstance(stage.app.screen, DiagnosisScreen)
        for word in (
            "▶    19              Yest = Yest + w*X",
            "for t in range(5):  # five time steps",
            "└ SubBackward0       it 12  line 21",
            "it 11  line 19  ◀ stale",
            "it 311: 3,109 nodes more, back to it 0",
            "held by   Yest",
            "+ Yest = Yest.detach()",
            "+10 nodes and +160 kB an iteration",
            "full in about 1,100 iterations",
        ):
            assert word in stage.text
        await stage.press("escape")
        assert isinstance(stage.app.screen, JobScreen)
        await stage.press("escape")
        assert isinstance(stage.app.screen, JobsScreen)


async def test_enter_in_the_list_explains_the_finding_under_the_cursor():
    async with staged(histories.chain().keyed()) as stage:
        await stage.press("tab", "down", "enter")
        assert "RETAIN NEEDLESS" in stage.text
        assert "Leave retain_graph away." in stage.text


async def test_a_click_on_the_verdict_explains_it():
    async with staged(histories.chain().keyed()) as stage:
        await stage.pilot.click("#verdict")
        await stage.pilot.pause()
        assert isinstance(stage.app.screen, DiagnosisScreen)


@pytest.mark.parametrize("times", [1, 2])
async def test_a_click_in_the_list_explains_that_finding_once(times):
    async with staged(histories.chain().keyed()) as stage:
        await stage.pilot.click("#findings", offset=(5, 2), times=times)
        await stage.pilot.pause()
        assert isinstance(stage.app.screen, DiagnosisScreen)
        assert "RETAIN NEEDLESS" in stage.text
        await stage.press("escape")
        assert isinstance(stage.app.screen, JobScreen)


async def test_d_explains_the_job_under_the_cursor_of_all_jobs():
    async with staged(histories.several()) as stage:
        assert "d: why" in stage.text
        await stage.press("d")
        assert isinstance(stage.app.screen, DiagnosisScreen)
        assert "run-7" in stage.text
        await stage.press("escape")
        assert isinstance(stage.app.screen, JobsScreen)


async def test_a_healthy_job_has_nothing_to_explain():
    async with staged(histories.healthy().keyed()) as stage:
        assert "why" not in stage.text
        await stage.press("enter")
        assert isinstance(stage.app.screen, JobScreen)
        assert [toast.message for toast in stage.app._notifications] == [
            "Nothing is wrong with this job."
        ]


async def test_n_and_p_go_through_the_findings():
    async with staged(histories.chain().keyed()) as stage:
        await stage.press("enter")
        assert "1 of 2 findings" in stage.text
        await stage.press("n")
        assert "2 of 2 findings" in stage.text
        assert "RETAIN NEEDLESS" in stage.text
        await stage.press("n")
        assert "1 of 2 findings" in stage.text
        await stage.press("p")
        assert "2 of 2 findings" in stage.text


async def test_n_is_offered_once_there_is_another_finding():
    scene = histories.held()
    async with staged(scene.keyed()) as stage:
        await stage.press("enter")
        assert "n next" not in stage.text
        had = len(scene.events)
        scene.find("memory-climb", "warning", "Memory climbs; no graph explains it.")
        await stage.feed(scene.keyed()[had:])
        assert "n next" in stage.text


async def test_it_goes_on_with_the_job():
    scene = histories.chain()
    async with staged(scene.keyed()) as stage:
        await stage.press("enter")
        had = len(scene.events)
        scene.step(stale=5_000, oldest=0)
        scene.find("graph-chain", "critical", "No longer so.", state="resolved")
        await stage.feed(scene.keyed()[had:])
        assert "RESOLVED: GRAPH GROWS" in stage.text
        assert "No longer so." in stage.text


async def test_c_copies_the_whole_text():
    async with staged(histories.chain().keyed(), size=SMALL) as stage:
        await stage.press("enter")
        assert "◀ stale" not in stage.text
        await stage.press("c")
        copied = stage.app.clipboard
        assert copied.startswith("GRAPH GROWS (graph-chain, critical) · run-7 on node3, pid 1000")
        assert "▶    19              Yest = Yest + w*X" in copied
        assert "◀ stale" in copied


async def test_s_saves_the_whole_text_though_a_part_is_in_sight(tmp_path):
    async with staged(histories.chain().keyed(), size=SMALL, save_to=tmp_path) as stage:
        await stage.press("enter", "s")
        picture, text = sorted(tmp_path.iterdir())
        assert picture.name.startswith("gradwatch-run-7-graph-chain-")
        assert "◀ stale" in text.read_text(encoding="utf-8")


async def test_the_page_scrolls_by_arrows_and_by_vim_keys():
    async with staged(histories.chain().keyed(), size=SMALL) as stage:
        await stage.press("enter")
        page = stage.app.screen.query_one("#page")
        for down, up in (("down", "up"), ("j", "k"), ("G", "g"), ("end", "home")):
            await stage.press(down)
            assert page.scroll_offset.y > 0 or page.scroll_target_y > 0
            await stage.press(up)
            assert page.scroll_target_y == 0


async def test_an_agent_that_sends_no_source_gets_the_statement_shown():
    scene = histories.held()
    async with staged(scene.keyed()) as stage:
        await stage.press("enter")
        assert "▶    31  total_loss += loss" in stage.text
        assert "- total_loss += loss" in stage.text
        assert "+ total_loss += loss.detach()" in stage.text


async def test_a_finding_without_a_place_is_told_too():
    scene = histories.healthy()
    scene.find("memory-climb", "warning", "Memory climbs; no graph explains it.")
    async with staged(scene.keyed()) as stage:
        await stage.press("enter")
        assert "MEMORY CLIMBS" in stage.text
        assert "since     iteration 2" in stage.text


async def test_a_lost_job_can_be_explained():
    scene = histories.healthy()
    async with staged(
        [*scene.keyed(), (scene.key, Link(up=False, why="x", at=scene.now))]
    ) as stage:
        await stage.press("enter")
        assert isinstance(stage.app.screen, DiagnosisScreen)
        assert "LOST" in stage.text


async def test_a_gap_in_the_way_is_counted():
    scene = histories.chain(20)
    way = (wire.Step("SumBackward0", 9), wire.Step("AddBackward0", 8, skipped=97))
    scene.find("second-backward", "critical", "m", way=way, id="second")
    async with staged(scene.keyed()) as stage:
        await stage.press("tab", "down", "enter")
        assert "… 97 nodes more" in stage.text
