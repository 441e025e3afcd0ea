"""The help screen: what the keys of a screen do and how to read the display.

Owns its layout and the words that hold everywhere; each screen has those of its own.
"""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from gradwatch.tui.lines import Line, fit, width_of, wrap
from gradwatch.tui.widgets.body import Body
from gradwatch.tui.widgets.canvas import Banner

Entries = tuple[tuple[str, str], ...]

_NAME_CELLS: Final = 10
_MEANING_ROWS: Final = 3
"""The most that one key gets, on the narrowest terminal."""

_EVERYWHERE: Final = (
    ("space", "freeze the display; the data goes on"),
    ("s", "save the screen, as SVG and as text"),
    ("t", "next theme: dark, light, high contrast"),
    ("b B", "ring when something critical is found; tell the desktop"),
    ("v", "show or hide what the script prints (run --tui)"),
    ("ctrl+p", "all commands by name"),
    ("q", "quit; the job goes on. ctrl+c: the same, but with --tui ends it"),
)
_SIGNS: Final = (
    ("a job", "● live  ‖ paused  ◐ stalled  ○ lost  ■ finished  ✗ crashed"),
    ("a finding", "▲ critical  △ warning  ○ hint  ✓ resolved  ◦ known, muted"),
    ("a rank", "≠ unlike the others"),
    ("a list", "↓37 so many rows more are below"),
    ("a backward", "⋮ others just before it are not listed"),
    ("nodes", "⣿ stale, of earlier iterations  ⢕ new, of this one"),
    ("curves", "⠤⠤ the first  ⠄⠄ the second  ╌╌ forecast"),
    ("last count", "⠄⠄ from there on nothing was counted"),
)
_READING: Final = (
    ("node", "a step that autograd wrote down for backward"),
    ("stale", "built in an earlier iteration; a healthy loss has none"),
    ("saved", "memory that tensors keep for a backward still to come"),
    ("kept", "graphs of earlier iterations that something holds on to"),
    ("spent", "kept, though backward is done with it"),
    ("agent", "the share of the job's time that gradwatch takes"),
)


class HelpScreen(ModalScreen[None]):
    """Any of its keys closes it, and so does a click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,enter,h,q", "dismiss", "close"),
    ]

    def __init__(self, title: str, keys: Entries) -> None:
        super().__init__()
        self._title, self._keys = title, keys

    def compose(self) -> ComposeResult:
        """One page; it scrolls where it does not fit."""
        banner = Banner(id="signs")
        banner.show(self._page)  # once all is mounted, the app may be ending, and nothing there
        with Body(id="help"):
            yield banner

    def on_click(self) -> None:
        """Whoever came with the mouse goes with it."""
        self.dismiss()

    def _page(self, width: int, _height: int) -> list[Line]:
        lines: list[Line] = []
        for title, entries in (
            (self._title, self._keys),
            ("Everywhere", _EVERYWHERE),
            ("Signs", _SIGNS),
            ("How to read it", _READING),
        ):
            lines.append([(title, "title")])
            lines += [line for entry in entries for line in _entry(*entry, width)] + [[]]
        return lines[:-1]


def _entry(name: str, meaning: str, width: int) -> list[Line]:
    """What does not fit beside the name goes on below its meaning."""
    room = width - _NAME_CELLS - 3
    fits = width_of([(meaning, "text")]) <= room  # then its own gaps are kept
    meanings = [meaning] if fits else wrap(meaning, room, _MEANING_ROWS)
    names = [name, *[""] * len(meanings)]
    return [
        fit([(f"  {one:<{_NAME_CELLS}} ", "strong"), (text, "text")], width)
        for one, text in zip(names, meanings, strict=False)
    ]
