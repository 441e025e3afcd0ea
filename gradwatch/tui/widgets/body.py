"""What scrolls on a screen, by arrow keys and by those of vim.

Owns the keys, and whether all of it fits on one page.
"""

from __future__ import annotations

from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.message import Message

_PAGE: Final = 23
"""Rows in which curves and lists have their least heights, as the .tcss has them; less, and the
shares of the room that they take would come out of nothing."""

_PAGE_IN_TWO_COLUMNS: Final = 28


class Curves(VerticalScroll):
    """Left and right are the plots' own: they go through the past."""

    class Resized(Message):
        """What was scrolled to the top may stand elsewhere now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "screen.shift(-1)", show=False),
        Binding("right,l", "screen.shift(1)", show=False),
        Binding("ctrl+d,ctrl+f", "page_down", show=False),
        Binding("ctrl+u,ctrl+b", "page_up", show=False),
    ]

    def on_resize(self) -> None:
        """The verdict above became higher or lower, or the terminal did."""
        page = _PAGE_IN_TWO_COLUMNS if self.screen.has_class("-middle") else _PAGE
        self.set_class(self.size.height < page, "-paged")
        self.post_message(self.Resized())


class Body(VerticalScroll):
    """Arrows, page keys, home and end come with it; these are those of vim and less."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", show=False),
        Binding("k", "scroll_up", show=False),
        Binding("g", "scroll_home", show=False),
        Binding("G", "scroll_end", show=False),
        Binding("ctrl+d,ctrl+f", "page_down", show=False),
        Binding("ctrl+u,ctrl+b", "page_up", show=False),
    ]
