"""A widget that shows lines of inked text.

Owns the way from lines to strips. Must not know what the lines say: it is given a picture, a pure
function from a size to lines.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Any, Final, TypeAlias, cast

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from gradwatch.tui.inks import InkedApp
from gradwatch.tui.lines import Line, safe

Picture: TypeAlias = Callable[[int, int], list[Line]]
"""From width and height in cells to the lines, from the top."""

_PAPER: Final = ""
"""The ink of no text."""


class Inked(Widget):
    """Base of the widgets that draw lines, with the inks of their app.

    Only rows that say something else than before are sent to the terminal.
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._drawn: tuple[tuple[int, int, bool], list[Line]] | None = None
        """The lines, the size they were made for, and whether with the focus."""
        self._styles_of: dict[str, Style] = {}
        """Ink by ink, for one repaint: a style is looked up through all widgets around this one."""

    @abstractmethod
    def picture(self, width: int, height: int) -> list[Line]:
        """What is to be seen at this size, from the top."""

    def redraw(self) -> None:
        """The picture may have changed. One that looks like the last costs the terminal nothing."""
        before, self._drawn = self._drawn, None
        after = self.lines(*self._shape())
        if before is None or before[0] != (*self._shape(), self.has_focus):
            self.refresh(layout=self.styles.is_auto_height)
        elif self.styles.is_auto_height and len(before[1]) != len(after):
            self.refresh(layout=True)
        else:
            pairs = enumerate(zip_longest(before[1], after))
            self._redraw_rows([y for y, (one, other) in pairs if one != other])

    def _redraw_rows(self, rows: Sequence[int]) -> None:
        if rows:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in rows))

    def lines(self, width: int, height: int) -> list[Line]:
        """The picture at this size, made once."""
        made_for = width, height, self.has_focus
        if self._drawn is None or self._drawn[0] != made_for:
            self._drawn = made_for, self.picture(width, height)
        return self._drawn[1]

    def render_lines(self, crop: Region) -> list[Strip]:
        """Called once a repaint, for some or all rows."""
        self._styles_of = {}
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One line of the picture; blank below its end."""
        lines = self.lines(*self._shape())
        line = lines[y] if y < len(lines) else []
        # `safe`: the last door for text from a job.
        segments = [Segment(safe(text), self._style(ink)) for text, ink in line]
        return Strip(segments).adjust_cell_length(self.size.width, self._style(_PAPER))

    def _style(self, ink: str) -> Style:
        if not self._styles_of:
            self._styles_of[_PAPER] = self.rich_style
        if ink not in self._styles_of:
            over = cast("InkedApp[Any]", self.app).ink(ink)
            self._styles_of[ink] = self._styles_of[_PAPER] + over
        return self._styles_of[ink]

    def _shape(self) -> tuple[int, int]:
        return self.size.width, self.size.height


class Canvas(Inked):
    """Shows a picture that it is given."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._picture: Picture = lambda _width, _height: []

    def show(self, picture: Picture) -> None:
        """Takes a new picture."""
        self._picture = picture
        self.redraw()

    def picture(self, width: int, height: int) -> list[Line]:
        """The newest one."""
        return self._picture(width, height)


class Banner(Canvas):
    """A canvas as high as its picture, which is told the height of the whole screen instead."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many rows as the picture has at this width."""
        return len(self.lines(width, viewport.height))

    def _shape(self) -> tuple[int, int]:
        return self.size.width, self.app.size.height
