"""The help screen: what the keys do and how to read the display.

Owns only its text.
"""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen

from gradwatch.tui.lines import Line, fit
from gradwatch.tui.widgets.canvas import INK_CLASSES, Banner

_KEYS: Final = (
    ("j", "all jobs"),
    ("enter", "open the job under the cursor"),
    ("tab", "next list, shift+tab the one before; esc to the top"),
    ("↑ ↓", "move in a list, or scroll"),
    ("space", "freeze the display; the data goes on"),
    ("s", "save the screen, as SVG and as text"),
    ("q", "quit; the job goes on"),
)
_SIGNS: Final = (
    ("a job", "● live  ◐ stalled  ○ lost  ■ finished  ✗ crashed"),
    ("a finding", "▲ critical  △ warning  ○ hint  ✓ resolved"),
    ("nodes", "⣿ stale, of earlier iterations  ⢕ new, of this one"),
    ("curves", "⠤⠤ the first  ⠄⠄ the second"),
)
_READING: Final = (
    ("node", "a step that autograd wrote down for backward"),
    ("stale", "built in an earlier iteration; a healthy loss has none"),
    ("saved", "memory that tensors keep for a backward still to come"),
    ("kept", "graphs of earlier iterations that something holds on to"),
    ("agent", "the share of the job's time that gradwatch takes"),
    ("findings", "have a cursor: the verdict shows the one under it"),
)


class HelpScreen(ModalScreen[None]):
    """Any of its keys closes it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = set(INK_CLASSES)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter,h", "dismiss", "close"),
    ]

    def compose(self) -> ComposeResult:
        """One page; it scrolls where it does not fit."""
        with VerticalScroll(id="help"):
            yield Banner(id="signs")

    def on_mount(self) -> None:
        """Shows the page."""
        self.query_one(Banner).show(_page)


def _page(width: int, _height: int) -> list[Line]:
    lines: list[Line] = []
    for title, entries in (("Keys", _KEYS), ("Signs", _SIGNS), ("How to read it", _READING)):
        lines += [[(title, "title")]] + [_entry(*entry, width) for entry in entries] + [[]]
    return lines[:-1]


def _entry(name: str, meaning: str, width: int) -> Line:
    return fit([(f"  {name:<10} ", "strong"), (meaning, "text")], width)
