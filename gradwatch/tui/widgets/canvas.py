"""A widget that shows lines of inked text.

Owns the way from lines to strips, and the colours' names in the .tcss. Must not know what the
lines say: it is given a picture, a pure function from a size to lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from gradwatch.tui.lines import INKS, Line, Piece, safe

Picture: TypeAlias = Callable[[int, int], list[Line]]
"""From width and height in cells to the lines, from the top."""


INK_CLASSES: Final = frozenset(f"ink--{ink}" for ink in INKS)
"""Component classes of every screen. Styling them once a screen, not once a widget, halves the
time to the first frame."""


class Inked(Widget):
    """Base of the widgets that draw lines, with the inks of their screen."""

    def strip_of(self, line: Iterable[Piece]) -> Strip:
        """The line as the terminal gets it; the last door for text from a job."""
        paper = self.rich_style
        segments = [Segment(safe(text), paper + self.ink(ink)) for text, ink in line]
        return Strip(segments).adjust_cell_length(self.size.width, paper)

    def ink(self, name: str) -> Style:
        """How an ink looks, but for the background it leaves open; `a+b` is b laid over a."""
        base, _, over = name.partition("+")
        style = self.screen.get_component_rich_style(f"ink--{base}", partial=True)
        return style + self.ink(over) if over else style


class Canvas(Inked):
    """Shows a picture, and draws it anew only when it or the size has changed."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._picture: Picture = lambda _width, _height: []
        self._drawn: tuple[tuple[int, int], list[Line]] | None = None

    def show(self, picture: Picture) -> None:
        """Takes a new picture. One that looks like the last costs the terminal nothing."""
        before, self._picture, self._drawn = self._drawn, picture, None
        after = self.lines(*self._shape())
        if before is None or before[1] != after:
            is_as_high = before is not None and len(before[1]) == len(after)
            self.refresh(layout=self.styles.is_auto_height and not is_as_high)

    def lines(self, width: int, height: int) -> list[Line]:
        """The picture at this size."""
        if self._drawn is None or self._drawn[0] != (width, height):
            self._drawn = (width, height), self._picture(width, height)
        return self._drawn[1]

    def render_line(self, y: int) -> Strip:
        """One line of the picture; blank below its end."""
        lines = self.lines(*self._shape())
        return self.strip_of(lines[y] if y < len(lines) else [])

    def _shape(self) -> tuple[int, int]:
        return self.size.width, self.size.height


class Banner(Canvas):
    """A canvas as high as its picture, which is told the height of the whole screen instead."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many rows as the picture has at this width."""
        return len(self.lines(width, viewport.height))

    def _shape(self) -> tuple[int, int]:
        return self.size.width, self.app.size.height
