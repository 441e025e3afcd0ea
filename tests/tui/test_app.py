"""Keys and flows, as a person at the terminal meets them."""

from __future__ import annotations

import pytest

from gradwatch.model import Link, Trouble
from gradwatch.tui.screens.job import JobScreen
from gradwatch.tui.screens.jobs import JobsScreen
from gradwatch_agent import wire

from . import histories
from .stage import LARGE, SMALL, staged


async def test_without_a_job_it_says_how_to_get_one():
    async with staged() as stage:
        assert "Looking for jobs" in stage.text
        await stage.wait(5.0)
        assert "No job found" in stage.text
        assert "import gradwatch_agent.auto" in stage.text
        assert "gradwatch run" in stage.text


async def test_what_can_be_done_with_a_job_is_offered_while_there_is_one():
    scene = histories.crashed()
    async with staged() as stage:
        await stage.wait(5.0)
        assert "enter open" not in stage.text
        await stage.feed(scene.keyed())
        await stage.press("j")
        assert "enter open  d why" in stage.text
        await stage.press("c")
        assert "enter open" not in stage.text


async def test_while_it_waits_for_calls_it_says_what_a_job_must_call():
    async with staged(waits_at=("laptop:7007",)) as stage:
        assert "No job has called yet" in stage.text
        assert "GRADWATCH_ENDPOINT=connect://laptop:7007" in stage.text


async def test_the_only_job_opens_at_once_with_its_whole_past():
    async with staged(histories.chain(2_000).keyed()) as stage:
        assert isinstance(stage.app.screen, JobScreen)
        assert "GRAPH GROWS" in stage.text
        assert "iteration 1,999" in stage.text
        assert "⣿" in stage.text


async def test_a_job_that_comes_to_an_empty_screen_opens():
    async with staged() as stage:
        await stage.wait(60.0)
        await stage.feed(histories.healthy().keyed())
        assert isinstance(stage.app.screen, JobScreen)
        assert "HEALTHY" in stage.text


async def test_several_jobs_are_listed_the_gravest_first():
    async with staged(histories.several()) as stage:
        assert isinstance(stage.app.screen, JobsScreen)
        lines = stage.text.splitlines()
        rows = [next(i for i, line in enumerate(lines) if name in line)
                for name in ("run-7", "estimate.py", "toy", "gpt-small")]  # fmt: skip
        assert rows == sorted(rows)
        assert "3 live" in lines[0]
        assert "1 crashed" in lines[0]


async def test_enter_opens_the_job_under_the_cursor_and_j_goes_back():
    async with staged(histories.several()) as stage:
        await stage.press("down", "enter")
        assert isinstance(stage.app.screen, JobScreen)
        assert stage.app.screen.job.name == "estimate.py"
        await stage.press("j")
        assert isinstance(stage.app.screen, JobsScreen)
        await stage.press("j")
        assert isinstance(stage.app.screen, JobsScreen)


async def test_the_verdict_of_the_job_under_the_cursor_is_told_below_the_table():
    async with staged(histories.several()) as stage:
        assert "Yest.detach()" in stage.text
        await stage.press("end")
        assert "HEALTHY" in stage.text


async def test_a_job_that_comes_later_is_announced():
    async with staged(histories.healthy().keyed()) as stage:
        await stage.wait(30.0)
        await stage.feed(histories.chain(key="2000", name="second").keyed())
        assert isinstance(stage.app.screen, JobScreen)
        assert [toast.message for toast in stage.app._notifications] == [
            "A new job: second. Press j for all jobs."
        ]


async def test_jobs_that_come_together_are_listed_though_the_first_one_was_opened():
    async with staged(histories.healthy().keyed()) as stage:
        stage.source.feed(histories.chain(key="2000", name="second").keyed())
        await stage.wait(0.3)
        assert isinstance(stage.app.screen, JobsScreen)


async def test_pause_freezes_the_display_and_folds_on():
    scene = histories.healthy(50)
    async with staged(scene.keyed()) as stage:
        await stage.press("space")
        assert "PAUSED" in stage.text
        before, had = stage.text, len(scene.events)
        for _ in range(50):
            scene.step(new=5_000)
        await stage.feed(scene.keyed()[had:])
        assert stage.text == before
        assert stage.app.jobs[scene.key].number == 99
        await stage.press("space")
        assert "PAUSED" not in stage.text
        assert "5,000" in stage.text


@pytest.mark.parametrize(
    "keys",
    [
        ["tab", "down", "escape"],
        ["slash", "x", "escape"],
        ["question_mark", "escape"],
        ["enter", "escape"],
        ["j", "down", "enter"],
        ["plus", "0"],
    ],
    ids="-".join,
)
async def test_no_key_thaws_the_frozen_display(keys):
    scene = histories.chain(50)
    async with staged(scene.keyed()) as stage:
        await stage.press("space")
        had = len(scene.events)
        for _ in range(50):
            scene.step(new=77_777, stale=5)
        scene.find("crashed", "critical", "Told while nothing moved.")
        new = ("Told while", "CRASHED", "78 k", "iteration 99", "100 iterations")
        await stage.feed(scene.keyed()[had:])
        for key in keys:
            await stage.press(key)
            assert [word for word in new if word in stage.text] == []
        await stage.press("space")
        assert "iteration 99" in stage.text


async def test_question_mark_explains_and_escape_closes():
    async with staged(histories.healthy().keyed()) as stage:
        await stage.press("question_mark")
        assert "freeze the display" in stage.text
        await stage.press("escape")
        assert "freeze the display" not in stage.text


async def test_the_screen_behind_the_help_goes_on():
    async with staged(histories.healthy().keyed(), size=(120, 50)) as stage:
        await stage.press("question_mark")
        await stage.feed(histories.chain().keyed()[2:])
        await stage.press("escape")
        assert "GRAPH GROWS" in stage.text


async def test_s_saves_picture_and_text(tmp_path):
    async with staged(histories.chain(name="a/b").keyed(), save_to=tmp_path) as stage:
        await stage.press("s")
        picture, text = sorted(tmp_path.iterdir())
        assert (picture.suffix, text.suffix) == (".svg", ".txt")
        assert picture.name.startswith("gradwatch-a_b-")
        assert "GRAPH GROWS" in text.read_text(encoding="utf-8")
        assert picture.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_name_of_what_was_saved_is_shown_whole(tmp_path, size):
    name = "a-name-as-long-as-names-of-files-can-be"
    events = histories.chain(name=name).keyed()
    async with staged(events, size, save_to=tmp_path, toasts=True) as stage:
        await stage.press("s")
        await shown(stage, "Saved")
        assert min(path.stem for path in tmp_path.iterdir()) in stage.text


async def shown(stage, words):
    while words not in stage.text:  # the test's own limit ends it
        await stage.pilot.pause()


async def test_toasts_are_not_saved_and_come_back(tmp_path):
    async with staged(histories.chain().keyed(), save_to=tmp_path, toasts=True) as stage:
        stage.app.notify("This_is_a_toast", timeout=60)
        await shown(stage, "This_is_a_toast")
        await stage.press("s")
        assert len(list(tmp_path.iterdir())) == 2
        for path in tmp_path.iterdir():
            assert "This_is_a_toast" not in path.read_text(encoding="utf-8")
        await shown(stage, "This_is_a_toast")


async def test_a_directory_that_cannot_be_written_is_told(tmp_path):
    async with staged(histories.chain().keyed(), save_to=tmp_path / "none") as stage:
        await stage.press("s")
        assert [toast.severity for toast in stage.app._notifications] == ["error"]


async def test_q_quits_and_stops_the_source():
    async with staged(histories.healthy().keyed()) as stage:
        assert stage.source.is_running
        await stage.press("q")
    assert not stage.source.is_running
    assert stage.app.return_code == 0


async def test_tab_shows_the_lists_and_escape_the_curves():
    async with staged(histories.chain().keyed(), size=SMALL) as stage:
        assert "MulBackward0" not in stage.text
        await stage.press("tab")
        assert "MulBackward0" in stage.text
        assert "saved for backward" not in stage.text
        await stage.press("escape")
        assert "saved for backward" in stage.text


async def test_the_verdict_shows_the_finding_under_the_cursor():
    async with staged(histories.chain().keyed()) as stage:
        await stage.press("tab", "down")
        assert "Leave retain_graph away." in stage.text
        await stage.press("escape")
        assert "Leave retain_graph away." not in stage.text
        assert "Yest.detach()" in stage.text


async def test_lists_are_walked_with_the_arrow_keys_and_follow_the_newest():
    scene = histories.healthy(100)
    async with staged(scene.keyed()) as stage:
        table = stage.app.screen.query_one("#backwards")
        table.focus()
        await stage.pilot.pause()
        assert table.item.iteration == 99
        await stage.press("down", "down")
        assert table.item.iteration == 97
        had = len(scene.events)
        scene.step(new=1_204)
        await stage.feed(scene.keyed()[had:])
        assert table.item.iteration == 97
        await stage.press("home")
        assert table.item.iteration == 100
        await stage.press("end")
        assert table.item.iteration == 0
        await stage.press("pageup")
        assert table.item.iteration > 0


async def test_a_resolved_finding_stays_listed_and_the_verdict_is_healthy_again():
    scene = histories.chain()
    async with staged(scene.keyed()) as stage:
        had = len(scene.events)
        scene.find("graph-chain", "critical", "No longer so.", state="resolved")
        scene.find("retain-needless", "info", "No longer so.", state="resolved", since_iteration=0)
        await stage.feed(scene.keyed()[had:])
        assert "✓ HEALTHY" in stage.text
        assert "✓ GRAPH GROWS" in stage.text


async def test_a_finished_job_is_told_to_be_finished():
    scene = histories.healthy()
    scene.end()
    async with staged(scene.keyed()) as stage:
        assert "FINISHED HEALTHY" in stage.text
        assert "■ finished" in stage.text
        assert "it/s" not in stage.text
        assert "after iteration 311" in stage.text


async def test_a_crashed_job_tells_why_and_where():
    async with staged(histories.crashed().keyed()) as stage:
        assert "CRASHED · BACKWARD TWICE" in stage.text
        assert "backward through the graph a second time" in stage.text
        assert "✗ crashed" in stage.text
        assert "train.py:19" in stage.text


async def test_a_lost_job_tells_since_when_and_comes_back():
    scene = histories.healthy()
    lost = Link(up=False, why="no beat for 3 s", at=scene.now)
    async with staged([*scene.keyed(), (scene.key, lost)]) as stage:
        assert "LOST" in stage.text
        assert "no beat for 3 s" in stage.text
        assert "○ lost" in stage.text
        await stage.wait(60.0)
        assert "1 min ago" in stage.text
        await stage.feed([(scene.key, Link(up=True))])
        assert "● live" in stage.text


async def test_a_job_that_was_paused_was_not_lost():
    scene = histories.healthy()
    stopped = Link(up=False, paused=True, why="it was stopped", at=scene.now)
    async with staged([*scene.keyed(), (scene.key, stopped), (scene.key, Link(up=True))]) as stage:
        assert "✓ PAUSED, resolved" in stage.text
        assert "LOST" not in stage.text


async def test_a_stalled_job_is_told_to_be_stalled():
    scene = histories.healthy()
    scene.find("stalled", "warning", "No iteration has ended for 75 s.", id="stalled")
    async with staged(scene.keyed()) as stage:
        assert "△ STALLED" in stage.text
        assert "◐ stalled" in stage.text
        assert "it/s" not in stage.text


async def test_a_job_that_does_not_answer_is_told_to_be_waited_for():
    down = Link(up=False, why="the key was refused")
    async with staged([("1000", down)]) as stage:
        assert "CONNECTING" in stage.text
        assert "the key was refused" in stage.text


async def test_a_job_before_its_first_iteration():
    async with staged(histories.Scene().keyed()) as stage:
        assert "STARTING" in stage.text
        assert "not counted yet" in stage.text


async def test_trouble_and_parts_that_are_off_stand_in_the_header():
    scene = histories.healthy()
    scene.beat(share=0.02, off=("census",), lost=3)
    trouble = Trouble(newer=2, garbage=5, lost=4)
    async with staged([*scene.keyed(), (scene.key, trouble)]) as stage:
        header = stage.text.splitlines()[0]
        for word in ("agent 2 %", "7 lost", "5 unreadable", "2 too new", "off: census"):
            assert word in header
        assert "Not checked" in stage.text


async def test_without_trouble_the_header_is_quiet():
    scene = histories.healthy()
    scene.events.append(wire.Beat(at=scene.now, iteration=scene.number))
    async with staged(scene.keyed()) as stage:
        header = stage.text.splitlines()[0]
        for word in ("agent", "lost", "unreadable", "too new", "off"):
            assert word not in header.removeprefix(" gradwatch")
