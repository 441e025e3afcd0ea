"""What a command prints, in a pane: all of it is untrusted."""

from __future__ import annotations

import pytest

from gradwatch.tui.output import Output

from . import histories
from .stage import MIDDLE, SMALL, staged


class Printer:
    def __init__(self) -> None:
        self.waiting = b""
        self.output = Output(self.take)

    def take(self) -> bytes:
        data, self.waiting = self.waiting, b""
        return data

    def says(self, data: bytes) -> list[str]:
        self.waiting += data
        self.output.poll()
        return [line.text for line in self.output.lines]


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        (b"epoch 1\nepoch 2\n", ["epoch 1", "epoch 2"]),
        (b"no end yet", ["no end yet"]),
        (b"", []),
        (b"\n\nx", ["", "", "x"]),
        (b"dos\r\nlines\r\n", ["dos", "lines"]),
        (b" 10 %\r 50 %\r100 %\n", ["100 %"]),
        (b" 10 %\r 50 %\r", [" 50 %"]),
        (b"\x1b[1;31mred\x1b[0m and \x1b]8;;http://x\x1b\\link\x1b]8;;\x07", ["red and link"]),
        (b"[bold]markup[/bold] [/]", ["[bold]markup[/bold] [/]"]),
        (b"a\tb", ["a       b"]),
        (b"\x1bP1;2qsixel", ["\\x1bP1;2qsixel"]),
        ("\u202eright to left \x9b31m".encode(), ["\\u202eright to left \\x9b31m"]),
        (b"\xff\xfe", ["\ufffd\ufffd"]),
    ],
)
def test_a_line_is_shown_as_a_terminal_would_but_steers_nothing(printed, shown):
    assert Printer().says(printed) == shown


def test_what_comes_in_pieces_is_one():
    printer = Printer()
    text = "Größe 3 \x1b[31mrot\x1b[0m ✓\n".encode()
    for i in range(len(text)):
        lines = printer.says(text[i : i + 1])
    assert lines == ["Größe 3 rot ✓"]


def test_what_never_ends_does_not_grow():
    printer = Printer()
    for _ in range(200):
        lines = printer.says(b"x" * 100_000)
    assert lines == ["x" * 1_000]
    for _ in range(20):
        lines = printer.says(b"y\n" * 10_000)
    assert len(lines) == 2_000
    assert len(printer.output.lines[-1].text) <= 1_000


@pytest.mark.parametrize("size", [SMALL, MIDDLE, (60, 20)])
async def test_the_pane_follows_what_is_printed_and_can_be_hidden(size):
    printer = Printer()
    async with staged(histories.chain().keyed(), size=size, output=printer.output) as stage:
        printer.waiting = b"".join(b"epoch %d [/x]\n" % i for i in range(50))
        await stage.wait(0.2)
        assert "epoch 49 [/x]" in stage.text
        assert "epoch 3 " not in stage.text
        assert "GRAPH GROWS" in stage.text
        await stage.press("v")
        assert "epoch" not in stage.text
        await stage.press("v")
        assert "epoch 49" in stage.text


async def test_in_the_pane_one_can_go_back_and_it_follows_again_at_the_end():
    printer = Printer()
    async with staged(histories.chain().keyed(), output=printer.output) as stage:
        printer.waiting = b"".join(b"epoch %d.\n" % i for i in range(50))
        await stage.wait(0.2)
        await stage.press("shift+tab", "g")
        assert "epoch 0." in stage.text
        printer.waiting = b"epoch 50.\n"
        await stage.wait(0.2)
        assert "epoch 0." in stage.text
        await stage.press("G")
        printer.waiting = b"epoch 51.\n"
        await stage.wait(0.2)
        assert "epoch 51." in stage.text


async def test_without_a_command_there_is_no_pane_and_no_key_for_it():
    async with staged(histories.chain().keyed(), size=(200, 50)) as stage:
        assert "v output" not in stage.text
        await stage.press("v")
        assert not stage.app.screen.query("#output")
