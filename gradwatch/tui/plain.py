"""How the dashboard looks where NO_COLOR is set: in the terminal's own two colours.

Textual's own filter makes greys of colours, which are colours still, and wrong ones on a light
terminal. Here what has a ground of its own, a bar or the cursor, is shown in reverse.
"""

from __future__ import annotations

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter


class Plain(LineFilter):
    """Takes all colours away, and keeps bold, italic and underlined."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """`background` is that of the widget the segments belong to."""
        paper = background.rich_color
        return [Segment(text, _plain(style, paper), None) for text, style, _ in segments]


def _plain(style: Style | None, paper: RichColor) -> Style:
    if style is None:
        return Style.null()
    ground = style.bgcolor
    stands_out = ground is not None and not ground.is_default and ground != paper
    return Style(
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        reverse=stands_out != bool(style.reverse),
        meta=style.meta,
    )
