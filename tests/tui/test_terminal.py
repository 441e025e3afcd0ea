"""The dashboard in a real terminal: tmux draws it, and its keys are typed there."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

JOB = f"""
import signal, sys
sys.path.insert(0, {str(ROOT / "tests/link")!r})
from job import Job

job = Job("r1", "toy", "")
job.post(3)
for epoch in range(20):
    print(f"epoch {{epoch}}: loss 0.5")
print("\\x1b[31mred\\x1b[0m [b]no markup[/b]")
signal.signal(signal.SIGTERM, lambda *_: None)
signal.pause()
print("asked to end")
"""

DEADLINE_S = 60.0
"""Far beyond what anything takes: only a hang reaches it."""

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="needs tmux")


class Terminal:
    """A window of tmux, of a server of its own."""

    def __init__(self, folder: Path) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", "/dev/null"]

    def run(self, *command: str) -> None:
        size = ("-x", "100", "-y", "40")
        self._call("new-session", "-d", *size, *command, ";", "set", "-g", "remain-on-exit", "on")

    def _call(self, *words: str) -> str:
        done = subprocess.run([*self._tmux, *words], capture_output=True, text=True, timeout=60)
        return done.stdout

    def press(self, *keys: str) -> None:
        self._call("send-keys", *keys)

    def shows(self, *words: str, no: str = "\0") -> str:
        """Waits until they stand on the screen."""
        until = time.monotonic() + DEADLINE_S
        while time.monotonic() < until:
            screen = self._call("capture-pane", "-p")
            if all(word in screen for word in words) and no not in screen:
                return screen
        raise AssertionError(screen)

    def coloured(self) -> str:
        """The screen with its escape sequences."""
        return self._call("capture-pane", "-p", "-e")

    def end(self) -> None:
        self._call("kill-server")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    with tempfile.TemporaryDirectory(prefix="gw") as folder:
        monkeypatch.setenv("GRADWATCH_RUN_DIR", f"{folder}/run")
        monkeypatch.setenv("XDG_CONFIG_HOME", f"{folder}/config")
        terminal = Terminal(Path(folder))
        yield terminal
        terminal.end()


def test_a_command_its_dashboard_and_its_output_in_one_terminal(terminal, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(JOB)
    gradwatch = [sys.executable, "-m", "gradwatch"]
    terminal.run(*gradwatch, "run", "--tui", "--", sys.executable, str(script))
    screen = terminal.shows("toy", "epoch 19: loss 0.5", "red [b]no markup[/b]", "● live")
    assert "epoch 3:" not in screen
    terminal.press("v")
    terminal.shows("toy", no="epoch 19")
    terminal.press("?")
    terminal.shows("freeze the display")
    terminal.press("Escape")
    terminal.shows("toy", no="freeze the display")  # a key right behind it would be alt and a key
    terminal.press("q")
    screen = terminal.shows("the command goes on", "epoch 19: loss 0.5")
    pid = int(screen.partition("(pid ")[2].partition(")")[0])
    subprocess.run(["kill", str(pid)], check=True)
    terminal.shows("asked to end")


COLOUR = re.compile(r"\x1b\[(?:[0-9:]+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;:]*m")
"""An escape sequence that sets a colour."""


def test_where_no_color_is_set_no_colour_is_sent(terminal):
    terminal.run("env", "NO_COLOR=1", sys.executable, "-m", "gradwatch", "demo")
    terminal.shows("GRAPH GROWS", "● live")
    assert "\x1b[7m" in terminal.coloured()  # the verdict stands on a bar
    seen = {"Enter": "▶    37", "Escape": "process memory", "j": "top finding", "?": "All jobs"}
    for key, words in seen.items():
        assert COLOUR.findall(terminal.coloured()) == []
        terminal.press(key)
        terminal.shows(words)
    assert COLOUR.findall(terminal.coloured()) == []


def test_sixteen_colours_are_enough(terminal):
    words = ["-u", "TMUX", "TERM=xterm", "COLORTERM="]
    terminal.run("env", *words, sys.executable, "-m", "gradwatch", "demo")
    terminal.shows("GRAPH GROWS")
    used = set(COLOUR.findall(terminal.coloured()))
    assert used
    assert not [code for code in used if re.search(r"[34]8[;:]", code)]


def test_a_dumb_terminal_is_refused_in_a_sentence(terminal):
    terminal.run("env", "TERM=dumb", sys.executable, "-m", "gradwatch")
    screen = terminal.shows("cannot be drawn where TERM is dumb; use gradwatch watch there.")
    assert "No job found" not in screen
