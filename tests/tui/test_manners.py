"""What a user may expect of any good terminal program: help, themes, a palette, a memory."""

from __future__ import annotations

import pytest
from rich.color import Color, ColorSystem
from textual import events

from gradwatch.tui.desktop import notification
from gradwatch.tui.screens.help import HelpScreen
from gradwatch.tui.screens.job import JobScreen
from gradwatch.tui.theme import CONTRAST, LIGHT, THEMES
from gradwatch.tui.verdict import TITLES
from gradwatch_agent import wire

from . import histories
from .stage import LARGE, MIDDLE, staged


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ((), "show less or more of the past"),
        (("enter",), "copy the text to the clipboard"),
        (("j",), "sort by the next column"),
    ],
)
async def test_each_screen_has_its_own_help(keys, words):
    async with staged(histories.chain().keyed(), size=LARGE) as stage:
        await stage.press(*keys, "question_mark")
        assert words in stage.text
        assert "freeze the display" in stage.text
        await stage.press("escape")
        assert words not in stage.text


async def test_the_help_tells_the_signs_and_words_of_the_lists_and_plots():
    async with staged(histories.chain().keyed(), size=LARGE) as stage:
        await stage.press("question_mark")
        for word in ("↓37", "⋮", "spent ", "last count"):
            assert word in stage.text


async def test_t_changes_the_theme_and_it_is_remembered(tmp_path):
    kept = tmp_path / "made" / "dashboard.json"
    async with staged(histories.chain().keyed(), settings=kept) as stage:
        assert stage.app.theme == "gradwatch"
        await stage.press("t")
        assert stage.app.theme == "gradwatch-light"
    async with staged(histories.several(), settings=kept) as stage:
        assert stage.app.theme == "gradwatch-light"
        await stage.press("o", "t", "t")
    async with staged(histories.several(), settings=kept) as stage:
        assert stage.app.theme == "gradwatch"
        assert "job▴" in stage.text


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", '{"theme": 3}', '{"theme": "[x]", "order": "no"}', "\x00" * 99_999]
)
async def test_a_broken_memory_is_no_memory(tmp_path, text):
    kept = tmp_path / "dashboard.json"
    kept.write_text(text)
    async with staged(histories.several(), settings=kept) as stage:
        assert stage.app.theme == "gradwatch"
        assert "top finding▾" in stage.text


async def test_where_nothing_can_be_written_nothing_breaks(tmp_path):
    (tmp_path / "file").write_text("")
    async with staged(histories.several(), settings=tmp_path / "file" / "x.json") as stage:
        await stage.press("t")
        assert stage.app.theme == "gradwatch-light"


@pytest.mark.parametrize("name", THEMES)
async def test_each_theme_shows_each_screen(name):
    async with staged(histories.chain().keyed()) as stage:
        stage.app.wear(name)
        await stage.press("enter", "question_mark", "escape", "escape", "j")
        assert stage.app.theme == THEMES[name].name


async def test_the_palette_knows_the_commands():
    async with staged(histories.chain().keyed()) as stage:
        await stage.press("ctrl+p")
        await stage.press(*"high contrast")
        await stage.pilot.pause()
        await stage.pilot.app.workers.wait_for_complete()
        await stage.press("enter")
        assert stage.app.theme == "gradwatch-contrast"


async def test_the_bell_rings_if_asked_for_and_only_for_what_is_new(monkeypatch):
    scene = histories.chain(20)
    async with staged(scene.keyed()) as stage:
        rung = []
        monkeypatch.setattr(stage.app, "bell", lambda: rung.append(1))
        late = {"time": "2099-01-01T00:00:00.000Z"}

        async def raised(kind: str, level: wire.Level, **more: object) -> None:
            had = len(scene.events)
            scene.find(kind, level, "[/m]", **more)
            await stage.feed(scene.keyed()[had:])

        await raised("inplace-modified", "critical", **late)
        assert rung == []
        await stage.press("b")
        await raised("second-backward", "critical", **late)
        assert rung == [1]
        await raised("graph-held", "warning", **late)
        await raised("crashed", "critical")
        await raised("second-backward", "critical", state="updated", **late)
        assert rung == [1]
        await raised("graph-held", "critical", state="updated", **late)
        await raised("graph-held", "critical", state="updated", **late)
        await raised("graph-held", "critical", state="resolved", **late)
        assert rung == [1, 1]


@pytest.mark.parametrize(("key", "how", "again"), [("a", "known", "▲"), ("m", "muted", "◦")])
async def test_what_is_known_is_told_again_when_it_gets_worse_what_is_muted_never(key, how, again):
    scene = histories.held()
    async with staged(scene.keyed()) as stage:
        await stage.press("j")  # seen in the list of the same moment, too
        assert "△ GRAPH HELD" in stage.text
        await stage.press("enter")
        assert "△ GRAPH HELD" in stage.text
        await stage.press(key)
        assert "■ NOTHING NEW · GRAPH HELD" in stage.text
        assert "HEALTHY" not in stage.text
        assert f"◦ GRAPH HELD, {how}" in stage.text
        await stage.press("j")
        assert f"◦ GRAPH HELD, {how}" in stage.text
        assert "healthy" not in stage.text
        await stage.press("enter")
        had = len(scene.events)
        scene.find("graph-held", "critical", "Now bytes climb.", state="updated", id="graph-held@2")
        await stage.feed(scene.keyed()[had:])
        assert f"{again} GRAPH HELD" in stage.text


@pytest.mark.parametrize(("key", "how"), [("a", "Known"), ("m", "Muted")])
async def test_the_same_key_takes_it_back(key, how):
    async with staged(histories.held().keyed()) as stage:
        await stage.press(key)
        assert f"{how}: not told again" in stage.text
        assert f"{key} takes that back" in stage.text
        await stage.press(key)
        assert "△ GRAPH HELD" in stage.text


@pytest.mark.parametrize(("key", "how"), [("a", "known"), ("m", "muted")])
@pytest.mark.parametrize("kind", ["graph-chain", "grads-accumulate", "oom-forecast"])
async def test_how_it_was_put_aside_is_seen_whole_in_the_list(key, how, kind):
    scene = histories.healthy()
    scene.find(kind, "critical", "m", since_iteration=12_345)
    async with staged(scene.keyed(), size=MIDDLE) as stage:
        await stage.press(key)
        assert f"◦ {TITLES[kind]}, {how} " in stage.text
        await stage.press("tab")
        assert f"{how} · enter: why" in stage.text


async def test_of_two_that_were_put_aside_each_is_told_how():
    scene = histories.held()
    scene.find("memory-climb", "warning", "m")
    async with staged(scene.keyed()) as stage:
        await stage.press("m", "a")
        assert "Muted (GRAPH HELD): not told" in stage.text
        assert "Known (MEMORY CLIMBS): not told" in stage.text


async def test_m_in_the_list_of_findings_tells_it_again():
    async with staged(histories.held().keyed()) as stage:
        await stage.press("m", "tab", "m")
        assert "△ GRAPH HELD" in stage.text


async def test_a_hint_is_no_health_beside_a_muted_fault():
    scene = histories.held()
    scene.find("graph-unused", "info", "Nodes are built in vain.")
    async with staged(scene.keyed()) as stage:
        await stage.press("m")
        assert "■ A HINT: GRAPH UNUSED" in stage.text
        assert "HEALTHY" not in stage.text


async def test_a_muted_finding_can_be_unmuted_where_it_is_explained():
    async with staged(histories.held().keyed()) as stage:
        await stage.press("enter", "m")
        assert "muted" in stage.text
        await stage.press("m")
        assert "muted" not in stage.text
        await stage.press("escape")
        assert "△ GRAPH HELD" in stage.text


async def test_the_desktop_is_told_if_asked_for_of_what_is_new_and_critical(tmp_path, monkeypatch):
    monkeypatch.delenv("TMUX", raising=False)
    monkeypatch.setenv("TERM_PROGRAM", "foot")
    scene = histories.chain(20)
    kept = tmp_path / "dashboard.json"
    async with staged(scene.keyed(), settings=kept) as stage:
        written = []
        monkeypatch.setattr(stage.app._driver, "write", written.append)

        async def raised(kind: str, level: wire.Level) -> list[str]:
            had = len(scene.events)
            written.clear()
            scene.find(kind, level, "Oh \x1b]0;x\x07 [/m]", time="2099-01-01T00:00:00.000Z")
            await stage.feed(scene.keyed()[had:])
            return [code for code in written if "notify" in code]

        assert await raised("inplace-modified", "critical") == []
        await stage.press("B")
        (told,) = await raised("second-backward", "critical")
        assert told == (f"\x1b]777;notify;{scene.name}: BACKWARD TWICE;Oh \\x1b]0;x\\x07 [/m]\x07")
        assert await raised("graph-held", "warning") == []
    async with staged(scene.keyed(), settings=kept) as stage:
        assert stage.app.memory.settings.desktop


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "\x1b]777;notify;a,b;c;d\x07"),
        ({"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;a;b: c;d\x07"),
        ({"TMUX": "x"}, "\x1bPtmux;\x1b\x1b]777;notify;a,b;c;d\x07\x1b\\"),
    ],
)
def test_each_terminal_is_told_in_its_own_way(environment, code):
    assert notification("a;b", "c;d", environment) == code


@pytest.mark.parametrize(
    "text", ["\x1b", "\x07", "\x9c", "\x9d", "\x00", "\n", "\u202e", "x" * 9_999]
)
def test_no_text_ends_the_code_or_begins_another(text):
    told = notification(text, text, {})
    assert told.isprintable() is False
    assert told[1:-1].isprintable()
    assert len(told) < 600


@pytest.mark.parametrize("theme", [LIGHT, CONTRAST], ids=lambda theme: theme.name)
def test_of_16_colours_good_is_green_and_bad_is_red(theme):
    named = [(theme.success, 2), (theme.variables["bar-good"], 2), (theme.error, 1)]
    for colour, number in named:
        found = Color.parse(colour).downgrade(ColorSystem.STANDARD).number
        assert found in (number, number + 8)  # or its bright twin


async def test_on_a_terminal_of_16_colours_the_theme_is_one_that_shows_there(monkeypatch):
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv("TERM", "xterm")
    async with staged(histories.chain().keyed()) as stage:
        assert stage.app.theme == "gradwatch-contrast"


async def test_without_colour_nothing_is_lost(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with staged(histories.chain().keyed()) as stage:
        assert stage.app.no_color
        for word in ("▲ GRAPH GROWS", "⣿ stale", "● live"):
            assert word in stage.text
        await stage.press("enter")
        assert "▶    19" in stage.text


async def test_without_colour_no_theme_is_changed_unseen(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with staged(histories.chain().keyed(), toasts=True) as stage:
        await stage.press("t")
        assert stage.app.theme == "gradwatch"
        assert stage.app.memory.settings.theme == "dark"
        assert "NO_COLOR is set" in stage.text


@pytest.mark.parametrize("size", [(60, 20), (120, 35)])
async def test_a_key_in_the_bottom_line_can_be_clicked(size):
    async with staged(histories.healthy().keyed(), size=size) as stage:
        await stage.press("j")
        row = stage.text.splitlines()[-1]
        await stage.pilot.click("Keys", offset=(row.index("help"), 0))
        await stage.wait(0.1)
        assert isinstance(stage.app.screen, HelpScreen)


async def test_the_bottom_line_has_as_many_keys_as_there_is_room_for():
    async with staged(histories.healthy().keyed(), size=(120, 35)) as stage:
        wide = stage.text.splitlines()[-1].split()
        await stage.pilot.resize_terminal(60, 20)
        await stage.wait(0.1)
        narrow = stage.text.splitlines()[-1].split()
        assert set(narrow) < set(wide)
        assert {"filter", "help", "quit"} <= set(narrow)


async def test_the_bottom_line_offers_what_can_be_done_now():
    def keys() -> str:
        return stage.text.splitlines()[-1]

    async with staged(histories.chain().keyed()) as stage:
        assert " enter why " in keys()
        await stage.press("space")
        assert " space go on " in keys()
        assert "pause" not in keys()
        await stage.press("m", "tab", "escape")
        await stage.press("space")
        assert " space pause " in keys()
        await stage.press("enter")
        assert " a known  m mute " in keys()
    async with staged(histories.held().keyed()) as stage:
        await stage.press("m")
        assert "why" not in keys()
        await stage.press("m")
        assert " enter why " in keys()


async def test_a_screen_that_opens_behind_another_window_has_its_keys_too():
    async with staged(histories.healthy().keyed(), size=(120, 35)) as stage:
        stage.app.post_message(events.AppBlur())
        await stage.wait(0.1)
        stage.app.push_screen(JobScreen(stage.app.view, next(iter(stage.app.jobs))))
        await stage.wait(0.1)
        assert {"zoom", "help", "quit"} <= set(stage.text.splitlines()[-1].split())


@pytest.mark.parametrize("size", [(60, 80), (80, 80), (120, 80)])
async def test_no_line_of_the_help_is_cut(size):
    async with staged(histories.chain().keyed(), size=size) as stage:
        await stage.press("question_mark")
        assert "…" not in stage.text
        assert "with --tui ends it" in " ".join(stage.text.replace("│", " ").split())
