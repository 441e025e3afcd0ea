"""The line of keys at the bottom: as many as there is room for.

Owns which keys can be left out. What they do is said in the help, too. One widget, for textual's
own makes one of each key anew whenever the focus moves, and that takes longer than all the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.text import Text
from textual import events
from textual.screen import Screen
from textual.widget import Widget

_LUXURY: Final = ("save", "cross", "output")
_SPARE: Final = ("focus_next", "pause", "go_on", "order", "zoom(1)")
"""Actions left out first, and next, where there is no room for all."""


@dataclass(frozen=True, slots=True)
class _Hint:
    """One key, as shown."""

    key: str
    shown: str
    does: str
    rank: int
    """0 stays longest."""

    @property
    def width(self) -> int:
        """In cells."""
        return len(self.shown) + len(self.does) + 3


class Keys(Widget):
    """Of the screen it is on; a click on one presses it."""

    COMPONENT_CLASSES = {"keys--key", "keys--does"}  # noqa: RUF012 - as textual has it
    ALLOW_SELECT = False
    DEFAULT_CSS = """
    Keys {
        dock: bottom;
        height: 1;
        background: $footer-background;
        .keys--key {
            color: $footer-key-foreground;
            background: $footer-key-background;
            text-style: bold;
        }
        .keys--does {
            color: $footer-description-foreground;
            background: $footer-description-background;
        }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._hints: list[_Hint] = []

    def on_mount(self) -> None:
        """Follows the screen's keys from now on."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, screen: Screen[object]) -> None:
        """Stays as it was while another window has the keys; one that never had them shows some."""
        if screen is not self.screen or (self._hints and not screen.app.app_focus):
            return
        active = [found.binding for found in screen.active_bindings.values() if found.binding.show]
        by_action = {binding.action: binding for binding in reversed(active)}
        display = self.app.get_key_display
        hints = [
            _Hint(binding.key, display(binding), binding.description, _rank(binding.action))
            for binding in active
            if by_action[binding.action] is binding
        ]
        if hints != self._hints:
            self._hints = hints
            self.refresh()

    def _fitting(self) -> list[_Hint]:
        """Those for which there is room, the most dispensable left out first."""
        for most in (2, 1, 0):
            hints = [hint for hint in self._hints if hint.rank <= most]
            if sum(hint.width for hint in hints) <= self.size.width:
                break
        return hints

    def render(self) -> Text:
        """The keys and what they do."""
        key, does = (self.get_component_rich_style(f"keys--{part}") for part in ("key", "does"))
        parts = [
            part for h in self._fitting() for part in ((f" {h.shown} ", key), (f"{h.does} ", does))
        ]
        return Text.assemble(*parts, no_wrap=True, end="")

    def on_click(self, event: events.Click) -> None:
        """As if the key had been pressed."""
        left = event.x
        for hint in self._fitting():
            if 0 <= left < hint.width:
                self.app.simulate_key(hint.key)
            left -= hint.width


def _rank(action: str) -> int:
    return 2 if action.endswith(_LUXURY) else int(action.endswith(_SPARE))
