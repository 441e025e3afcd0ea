"""A job may say anything: nothing it says is markup, steers the terminal or ends the app."""

from __future__ import annotations

import math

import pytest

from gradwatch.model import Link
from gradwatch.tui.screens.diagnosis import DiagnosisScreen
from gradwatch_agent import wire

from . import histories
from .stage import LARGE, SMALL, staged

NASTY = [
    "[/oops]",
    "[bold red]x[/] [@click=app.quit]y[/]",
    "\x1b[2J\x1b]0;owned\x07",
    "\u202etxt.exe",
    "emoji 🧨👩‍👩‍👧 漢字 e\u0301",
    "long " + "x" * 10_000,
    "many " + "words " * 2_000,
    "",
    "\n\r\t",
]


def nasty_job(word: str) -> histories.Scene:
    scene = histories.Scene(name=word, host=word, script=word)
    scene.events[1] = wire.Hello(
        run=word, job=word, host=word, pid=1, started=0.0, script=word, torch=word, world_size=2,
    )  # fmt: skip
    for _ in range(3):
        scene.step(types={word: 3, "MulBackward0": 1})
    devices = (wire.DeviceMemory(word, 1, 2, name=word), wire.DeviceMemory(word, 1, 2))
    scene.events += [
        wire.Backward(at=scene.now, iteration=3, root=word, file=word, line=1, error=word),
        wire.Memory(at=scene.now, iteration=3, rss_bytes=1, devices=devices),
    ]
    place = {
        "file": word, "line": 2**63, "code": word, "holder": word,
        "source": wire.Excerpt(2**63 - 5, (word,) * 40),
        "way": (wire.Step(word, 3, word, 1), wire.Step(word, -2, word, 2**63, 2**63)) * 40,
    }  # fmt: skip
    scene.find(word, "critical", word, suggestion=word, id=word, **place)
    scene.beat(off=(word,))
    return scene


@pytest.mark.parametrize(
    ("word", "size"), [*((word, SMALL) for word in NASTY), (NASTY[5], LARGE), (NASTY[6], LARGE)]
)
async def test_words_are_shown_as_they_are_and_harmless(word, size, tmp_path):
    async with staged(nasty_job(word).keyed(), size=size, save_to=tmp_path) as stage:
        await stage.press("tab", "tab", "tab", "down")
        shown = stage.text
        await stage.press("escape", "j")
        shown += stage.text
        await stage.press("enter", "enter")
        assert isinstance(stage.app.screen, DiagnosisScreen)
        shown += stage.text
        await stage.press("end")
        shown += stage.text
        assert stage.app.screen.text_to_save.replace("\n", "").isprintable()
        await stage.press("s")
        assert stage.app.is_running
        assert all(line.isprintable() for line in shown.splitlines())
        if word.startswith("[/"):
            assert "[/oops]" in shown


async def test_words_of_a_crash_and_of_a_broken_link():
    scene = nasty_job("[/oops]\x1b[2J")
    events = [*scene.keyed(), (scene.key, Link(up=False, why="[/why]\x1b", at=scene.now))]
    async with staged(events) as stage:
        assert "[/why]" in stage.text
        scene.end("crashed", "[/error]\x1b[2J")
        await stage.feed(scene.keyed()[-1:])
        assert "[/error]" in stage.text
        assert "\x1b" not in stage.text


async def test_an_announcement_is_no_markup():
    async with staged(histories.healthy().keyed(), size=(120, 50)) as stage:
        await stage.wait(30.0)
        await stage.feed(nasty_job("[/oops]").keyed()[:2])
        await stage.feed(histories.healthy(3, key="77", name="[/oops]").keyed())
        assert stage.app.is_running


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, 1e308, -1e308, 0.0])
async def test_numbers_that_are_none_break_nothing(odd):
    scene = histories.healthy(30)
    big = 2**64 - 1
    scene.events += [
        wire.Iteration(number=30, at=odd, duration_s=odd, backward_s=odd, reached=big, stale=big,
                       oldest=-5, saved_bytes=big, live=big, held=big, types={"X": big}),
        wire.Iteration(number=-7, at=-odd, duration_s=-odd, reached=-3, stale=9, saved_bytes=-1),
        wire.Memory(at=odd, iteration=-1, rss_bytes=-1, limit_bytes=0),
        wire.Memory(
            at=odd, iteration=big, rss_bytes=big, limit_bytes=-1,
            devices=(wire.DeviceMemory("x", big, 0, name="[/x]\x1b"), wire.DeviceMemory("y")),
        ),
        wire.Backward(at=odd, iteration=-1, duration_s=odd, skipped=big, roots=-1),
        wire.Beat(at=odd, share=odd, iteration=big, lost=big),
    ]  # fmt: skip
    scene.find("graph-chain", "critical", "m", eta_iterations=-3, since_iteration=-9, line=-1)
    scene.find(
        "second-backward", "critical", "m", line=-1, eta_iterations=big, nodes_per_iteration=odd,
        bytes_per_iteration=odd, iteration=big, since_iteration=-big, source=wire.Excerpt(-3, ()),
        way=(wire.Step("", -1, "", -1, -1),), id="odd",
    )  # fmt: skip
    async with staged(scene.keyed()) as stage:
        await stage.press("enter", "n", "n", "end", "escape")
        for end in (wire.Bye(at=odd, reason="crashed"), Link(up=False, at=0.0)):
            await stage.press("tab", "j", "enter")
            await stage.feed([(scene.key, end)])
        assert stage.app.is_running
        assert "nan" not in stage.text.lower().replace("finan", "")
