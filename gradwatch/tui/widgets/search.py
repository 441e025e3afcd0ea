"""One line in which a filter is typed.

Owns what was typed. Must not know what is filtered.
"""

from __future__ import annotations

from textual import events
from textual.message import Message

from gradwatch.tui.lines import Line
from gradwatch.tui.widgets.canvas import Inked

_LONGEST = 80
"""Characters; enough for any name that a list shows."""


class Search(Inked, can_focus=True):
    """Posts `Sought` at each change, and `Done` when enter or escape leaves it."""

    class Sought(Message):
        """What is looked for has changed."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Done(Message):
        """Typing is over."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self.text = ""
        self.display = False

    def start(self) -> None:
        """Shows itself, and takes the keys."""
        self.display = True
        self.focus()

    def picture(self, width: int, height: int) -> list[Line]:  # noqa: ARG002
        """What was typed, with a cursor while it is being typed."""
        cursor = [(" ", "cursor")] if self.has_focus else []
        hint = "   enter keeps it, esc shows all" if self.has_focus else "   esc shows all"
        return [[(" / ", "title"), (self.text, "strong"), *cursor, (hint, "muted")]]

    def check_consume_key(self, key: str, character: str | None) -> bool:  # noqa: ARG002
        """While it is being typed, letters are letters and no commands."""
        return character is not None and character.isprintable()

    def on_key(self, event: events.Key) -> None:
        """Types, takes back, ends."""
        if event.key == "escape":
            self.clear()
            self.post_message(self.Done())
        elif event.key == "enter":
            self.display = bool(self.text)
            self.post_message(self.Done())
        elif event.key == "backspace":
            self._set(self.text[:-1])
        elif event.key == "ctrl+u":
            self._set("")
        elif event.is_printable and event.character is not None:
            self._set((self.text + event.character)[:_LONGEST])
        else:
            return
        event.stop()

    def clear(self) -> None:
        """Nothing is looked for any more."""
        self.display = False
        self._set("")

    def _set(self, text: str) -> None:
        if text != self.text:
            self.text = text
            self.post_message(self.Sought(text))
        self.redraw()
