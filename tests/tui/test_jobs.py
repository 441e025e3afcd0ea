"""The table of all jobs: groups, order, filter."""

from __future__ import annotations

import pytest

from gradwatch.model import Job, Link
from gradwatch.tui.listed import listed
from gradwatch.tui.overview import cells
from gradwatch.tui.ranks import grouped, odd_ones
from gradwatch.tui.screens.job import JobScreen

from . import histories
from .stage import MIDDLE, staged


def folded(events) -> list[Job]:
    jobs: dict[str, Job] = {}
    for key, event in events:
        jobs.setdefault(key, Job(key)).fold(event)
    return list(jobs.values())


def names(stage) -> list[str]:
    """The first words of the rows."""
    table = stage.app.screen.query_one("#jobs")
    return ["".join(text for text, _ in table._cells(row)[0]) for row in table._items]


def test_two_runs_of_one_script_are_two_groups():
    first = histories.ranked(2, 3, odd=None)
    second = [(f"9{key}", event) for key, event in histories.ranked(2, 3, odd=None)]
    groups = grouped(folded([*first, *second]))
    assert [[job.key for job in group.jobs] for group in groups] == [
        ["3000", "3001"], ["93000", "93001"],
    ]  # fmt: skip


def test_the_odd_one_is_the_one_unlike_the_others():
    (group,) = grouped(folded(histories.ranked(16)))
    assert odd_ones(group) == {"3011": "RSS 14 GB, others 9.8 GB"}


def test_of_two_ranks_none_is_odd():
    (group,) = grouped(folded(histories.ranked(2, odd=1)))
    assert odd_ones(group) == {}


def test_a_rank_in_another_state_or_behind_is_odd():
    events = histories.ranked(4, odd=None)
    events.append(("3002", Link(up=False, why="no beat", at=histories.START + 9)))
    events = [(k, e) for k, e in events if k != "3003" or getattr(e, "number", 0) < 10]
    events = [(k, e) for k, e in events if k != "3003" or type(e).__name__ != "Beat"]
    (group,) = grouped(folded(events))
    assert odd_ones(group) == {"3002": "lost", "3003": "30 iterations behind"}


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("job", "estimate.py"),
        ("state", "estimate.py"),
        ("it/s", "gpt-small"),
        ("nodes", "run-7"),
        ("stale", "run-7"),
    ],
)
def test_the_order_is_that_of_the_column(order, first):
    rows = listed(folded(histories.several()), order, "", frozenset())
    assert rows[0].job.name == first


def test_ranks_are_sorted_by_the_column_too():
    jobs = folded(histories.ranked(4, odd=2))
    for order, first in (("top finding", 0), ("RSS", 2)):
        _, *ranks = listed(jobs, order, "", frozenset())
        assert ranks[0].job.hello.rank == first


async def test_many_ranks_are_closed_but_for_the_odd_one():
    async with staged(histories.ranked(16)) as stage:
        await stage.wait(2.0)
        assert names(stage) == ["▸ gpt", "≠ rank 11"]
        assert "RSS 14 GB, others 9.8 GB" in stage.text


async def test_enter_opens_and_closes_a_group_and_enter_on_a_rank_opens_its_screen():
    async with staged(histories.ranked(16)) as stage:
        await stage.wait(2.0)
        await stage.press("enter")
        assert len(names(stage)) == 17
        await stage.press("enter")
        assert names(stage) == ["▸ gpt", "≠ rank 11"]
        await stage.press("j", "enter")
        assert isinstance(stage.app.screen, JobScreen)
        assert stage.app.screen.job.hello.rank == 11


async def test_o_and_a_click_on_a_title_sort():
    async with staged(histories.several()) as stage:
        assert "top finding▾" in stage.text
        await stage.press("o")
        assert "job▴" in stage.text
        assert names(stage)[0] == "estimate.py"
        title = stage.text.splitlines()[1]
        await stage.pilot.click("#jobs", offset=(title.index("RSS"), 0))
        await stage.pilot.pause()
        assert "RSS▾" in stage.text


async def test_a_filter_is_typed_kept_and_taken_away():
    async with staged(histories.several()) as stage:
        await stage.press("slash", *"GPT")
        assert names(stage) == ["▾ gpt-small", "  rank 0", "  rank 1"]
        assert "/ GPT" in stage.text
        await stage.press("enter", "down", "enter")
        assert isinstance(stage.app.screen, JobScreen)
        await stage.press("escape")
        assert len(names(stage)) == 3
        await stage.press("escape")
        assert len(names(stage)) == 6


async def test_letters_of_a_filter_are_no_commands():
    async with staged(histories.several()) as stage:
        await stage.press("slash", *"qjs", "space", "d")
        assert stage.app.is_running
        assert "/ qjs d" in stage.text
        assert "no job matches" in stage.text
        await stage.press("backspace", "backspace", "backspace", "backspace", "backspace")
        assert len(names(stage)) == 6
        await stage.press("slash", "x", "ctrl+u", "l", "o", "s", "t")
        assert names(stage) == ["toy"]
        await stage.press("escape")
        assert "/ lost" not in stage.text


async def test_a_finding_and_a_state_can_be_looked_for():
    async with staged(histories.several()) as stage:
        await stage.press("slash", *"twice")
        assert names(stage) == ["estimate.py"]


async def test_the_jobs_stand_while_paused():
    scene = histories.healthy(40, key="1", name="one")
    async with staged([*scene.keyed(), *histories.chain(key="2").keyed()], size=MIDDLE) as stage:
        await stage.wait(2.0)
        await stage.press("space")
        before, had = stage.text, len(scene.events)
        for _ in range(50):
            scene.step(new=5_000)
        await stage.feed(scene.keyed()[had:])
        await stage.press("down", "up")
        assert stage.text == before


async def test_a_column_that_says_nothing_gives_its_room_away():
    one = histories.chain(key="1", name="a-rather-long-name-of-a-job")
    other = histories.chain(key="2", name="b")
    async with staged([*one.keyed(), *other.keyed()], size=(120, 35)) as stage:
        await stage.press("j")
        heading = stage.text.splitlines()[1]
        assert not {"host", "ranks", "device"} & set(heading.split())
        assert "a-rather-long-name-of-a-job" in stage.text
    async with staged(histories.several(), size=(200, 50)) as stage:
        assert {"host", "ranks", "device"} <= set(stage.text.splitlines()[1].split())


async def test_the_holder_is_seen_whole_where_other_columns_can_be_done_without():
    job = histories.chain(key="1", name="a-rather-long-name-of-a-job", steps=5)
    job.find("graph-chain", "critical", "The loss reaches old graphs.", holder="trainer.hidden")
    async with staged([*job.keyed()], size=(100, 35)) as stage:
        await stage.press("j")
        row = next(line for line in stage.text.splitlines() if "a-rather-long" in line)
        assert row.rstrip().endswith("GRAPH GROWS  trainer.hidden")


@pytest.mark.parametrize("width", [60, 80])
async def test_who_holds_it_on_which_rank_comes_before_how_many_ranks_there_are(width):
    well = histories.healthy(50, key="1", name="report.py", world_size=2, gpu=False)
    held = histories.held(50, key="2", rank=1, world_size=2)
    async with staged([*well.keyed(), *held.keyed()], size=(width, 24)) as stage:
        assert "rank 1: total_loss" in stage.text


async def test_an_odd_rank_shows_its_finding_before_what_is_odd():
    events = histories.ranked(4, odd=2)
    grave = histories.chain(key="3002", name="gpt", rank=2, world_size=4, steps=0)
    grave.find("graph-chain", "critical", "The loss reaches old graphs.", holder="hidden")
    async with staged([*events, *grave.keyed()[-1:]], size=(200, 50)) as stage:
        await stage.press("j")
        row = next(
            line for line in stage.text.splitlines() if "≠ rank 2" in line and "▾" not in line
        )
        assert row.index("GRAPH GROWS") < row.index("RSS ")


async def test_jobs_of_one_name_are_told_apart_by_their_process():
    events = [*histories.chain(key="4711").keyed(), *histories.chain(key="4712").keyed()]
    async with staged(events, size=(80, 24)) as stage:
        await stage.press("j")
        assert "run-7 pid 4711" in stage.text
        assert "run-7 pid 4712" in stage.text
    async with staged(histories.several()) as stage:
        assert not [row for row in names(stage) if " pid " in row]


async def test_a_title_has_room_for_the_mark_of_the_order():
    async with staged(histories.several()) as stage:
        title = stage.text.splitlines()[1]
        await stage.pilot.click("#jobs", offset=(title.index("stale"), 0))
        await stage.pilot.pause()
        assert " stale▾ " in stage.text


@pytest.mark.parametrize(("columns", "orders"), [(60, 3), (200, 11)])
async def test_o_passes_over_what_is_not_in_sight(columns, orders):
    async with staged(histories.several(), size=(columns, 24)) as stage:
        seen = []
        while not seen or seen[-1] != "top finding":
            await stage.press("o")
            title = stage.text.splitlines()[1]
            assert "▾" in title or "▴" in title
            seen.append(stage.app.view.order)
        assert len(seen) == orders


def test_a_group_of_which_a_rank_has_a_muted_fault_is_not_called_healthy():
    scene = histories.Scene(key="3001", name="gpt", rank=1, world_size=2)
    scene.find("graph-held", "warning", "kept")
    events = [*histories.ranked(2, odd=None), (scene.key, scene.events[-1])]
    jobs = folded(events)
    jobs[1].hush(jobs[1].top, "muted")
    head, *_ = listed(jobs, "top finding", "", frozenset())
    told = cells(head, histories.START)[-1]
    assert told == [("◦ GRAPH HELD, muted", "muted")]
