"""A canvas that shows a figure, and tells what the mouse points at.

Owns the way from a cell to an iteration. Must not know what is plotted.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from textual import events
from textual.message import Message

from gradwatch.tui import plots
from gradwatch.tui.curves import Figure
from gradwatch.tui.widgets.canvas import Canvas

_DRAWN: Final = 2
"""Columns from which on a press and a release are no click."""


class Plot(Canvas):
    """Posts `Pointed` as the mouse moves over it, `Zoomed` for its wheel with ctrl, and `Spanned`
    when it was drawn over a part.
    """

    class Pointed(Message):
        """At an iteration; None: the mouse has left."""

        def __init__(self, at: float | None) -> None:
            super().__init__()
            self.at = at

    class Zoomed(Message):
        """So many steps nearer."""

        def __init__(self, steps: int) -> None:
            super().__init__()
            self.steps = steps

    class Spanned(Message):
        """From one iteration to another, in no order."""

        def __init__(self, one: float, other: float) -> None:
            super().__init__()
            self.one = one
            self.other = other

    def __init__(self) -> None:
        super().__init__(classes="plot")
        self._figure: Figure | None = None
        self._pressed: int | None = None
        """The column where the button went down."""

    def plot(self, figure: Figure) -> None:
        """Takes a new figure."""
        self._figure = figure
        self.show(partial(plots.draw, figure))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The crosshair follows the mouse."""
        self.post_message(self.Pointed(self._at(event.x)))

    def _at(self, column: int) -> float | None:
        if self._figure is None:
            return None
        return plots.iteration_at(self._figure, self.size.width, column)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A part of the past may be drawn over from here."""
        self._pressed = event.x
        self.capture_mouse()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """... to here: a click alone is none."""
        self.release_mouse()
        start, self._pressed = self._pressed, None
        if start is None or abs(event.x - start) < _DRAWN:
            return
        if self._figure is not None:
            one, other = (self._end(self._figure, column) for column in (start, event.x))
            self.post_message(self.Spanned(one, other))

    def _end(self, figure: Figure, column: int) -> float:
        """What stands there; beside the curves, where they end."""
        at = self._at(column)
        is_right = 2 * column > self.size.width
        return at if at is not None else figure.x.iteration(figure.span[is_right])

    def on_leave(self) -> None:
        """The mouse has left."""
        self.post_message(self.Pointed(None))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """With ctrl: nearer. Else it scrolls the screen."""
        self._wheel(event, 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """With ctrl: farther."""
        self._wheel(event, -1)

    def _wheel(self, event: events.MouseEvent, steps: int) -> None:
        if event.ctrl:
            event.stop()
            self.post_message(self.Zoomed(steps))
