"""Textual's layouts for a job's screen: curves and lists on one page or two, and tiles in each.

Owns the way from rows and parts to regions. Must not know how the room is divided. Layouts, not
heights set on resizing: the first frame is right at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from gradwatch.tui.pages import Form, Pages, divided, pages

_NONE: Final = Spacing()


class PagedLayout(Layout):
    """Two children, the curves and the lists."""

    name = "paged"

    def arrange(
        self,
        parent: Widget,
        children: list[Widget],
        size: Size,
        greedy: bool = True,  # noqa: ARG002, FBT001, FBT002 - as textual has it
    ) -> ArrangeResult:
        """Below each other, across the whole width."""
        found = pages(parent.app.size.width, size.height)
        tops = (0, found.plots), (found.plots + found.gap, found.lists)
        return [
            _placed(child, Region(0, top, size.width, height))
            for child, (top, height) in zip(children, tops, strict=True)
        ]


class Tiled(Layout):
    """Rows of children; `form` picks how of the pages of the screen."""

    name = "tiled"

    def __init__(self, form: Callable[[Pages], Form], gutters: tuple[int, int]) -> None:
        self._form, self._gutters = form, gutters

    def arrange(
        self,
        parent: Widget,
        children: list[Widget],
        size: Size,
        greedy: bool = True,  # noqa: ARG002, FBT001, FBT002 - as textual has it
    ) -> ArrangeResult:
        """As many rows as there are in the form, all of one height."""
        body = parent.parent
        rows = body.size.height if isinstance(body, Widget) else size.height
        form = self._form(pages(parent.app.size.width, rows))
        below, beside = self._gutters
        regions = [
            Region(left, top, width, height)
            for parts, (top, height) in zip(
                form, divided(size.height, [1] * len(form), below), strict=True
            )
            for left, width in divided(size.width, parts, beside)
        ]
        return [_placed(*pair) for pair in zip(children, regions, strict=True)]


def _placed(widget: Widget, region: Region) -> WidgetPlacement:
    return WidgetPlacement(region, NULL_OFFSET, _NONE, widget)
