"""A canvas that shows a figure, and tells what the mouse points at.

Owns the way from a cell to an iteration. Must not know what is plotted.
"""

from __future__ import annotations

from functools import partial

from textual import events
from textual.message import Message

from gradwatch.tui import plots
from gradwatch.tui.curves import Figure
from gradwatch.tui.widgets.canvas import Canvas


class Plot(Canvas):
    """Posts `Pointed` as the mouse moves over it, `Zoomed` for its wheel with ctrl."""

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

    def __init__(self) -> None:
        super().__init__(classes="plot")
        self._figure: Figure | None = None

    def plot(self, figure: Figure) -> None:
        """Takes a new figure."""
        self._figure = figure
        self.show(partial(plots.draw, figure))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """The crosshair follows the mouse."""
        if self._figure is not None:
            at = plots.iteration_at(self._figure, self.size.width, event.x)
            self.post_message(self.Pointed(at))

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
