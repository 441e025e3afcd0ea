"""A list with columns and a cursor; it words only the rows that are in sight.

Owns the cursor, what is in sight, and the heading. Must not know what the items are: their
cells and their keys come from functions it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar, Generic, TypeVar

from textual import events
from textual.binding import Binding, BindingType

from gradwatch.tui import tables
from gradwatch.tui.lines import Line
from gradwatch.tui.messages import Chosen, Headed, Moved
from gradwatch.tui.tables import Column
from gradwatch.tui.widgets.canvas import Inked

T = TypeVar("T")

_HEADING_ROWS = 1


class Table(Inked, Generic[T], can_focus=True):
    """Posts `Moved` when the cursor goes to another item, `Chosen` on a double click."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", "up", show=False),
        Binding("down", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "jump(0)", "first", show=False),
        Binding("end", "jump(-1)", "last", show=False),
        Binding("j", "move(1)", show=False),
        Binding("k", "move(-1)", show=False),
        Binding("g", "jump(0)", show=False),
        Binding("G", "jump(-1)", show=False),
        Binding("ctrl+d,ctrl+f", "page(1)", show=False),
        Binding("ctrl+u,ctrl+b", "page(-1)", show=False),
    ]

    def __init__(
        self,
        columns: Sequence[Column],
        cells: Callable[[T], Sequence[Line]],
        *,
        key: Callable[[T], Hashable],
        id: str,  # noqa: A002
        empty: str = "none",
        one_click: bool = False,
        follows: bool = False,
    ) -> None:
        super().__init__(id=id)
        self._columns, self._cells, self._key = columns, cells, key
        self._empty = empty
        self._clicks = 1 if one_click else 2
        """With how many clicks an item is chosen."""
        self._follows = follows
        """A cursor on the last item goes to what comes after it."""
        self._items: Sequence[T] = ()
        self._cursor = 0
        self._top = 0

    def show(self, items: Sequence[T], columns: Sequence[Column] | None = None) -> None:
        """Takes new items. A cursor that was moved stays on its item."""
        before = self.item
        is_last = self._cursor >= len(self._items) - 1
        self._items, self._columns = items, columns or self._columns
        if self._follows and is_last:
            self._cursor = len(items) - 1
        elif before is not None and self._cursor:
            key = self._key(before)
            kept = (i for i, item in enumerate(items) if self._key(item) == key)
            moved = next(kept, self._cursor) - self._cursor
            self._cursor, self._top = self._cursor + moved, self._top + moved
        self._keep_in_sight()
        self.redraw()

    @property
    def item(self) -> T | None:
        """What the cursor is on."""
        return self._items[self._cursor] if self._cursor < len(self._items) else None

    def picture(self, width: int, height: int) -> list[Line]:
        """The heading, then the rows in sight."""
        shown = self._items[self._top : self._top + max(height - _HEADING_ROWS, 0)]
        rows = [tables.row(self._columns, width, self._cells(item)) for item in shown]
        at = self._cursor - self._top
        if self.has_focus and 0 <= at < len(rows):
            # Laid over the row: its inks keep their colours, only what is behind them changes.
            rows[at] = [(text, f"{ink}+cursor") for text, ink in rows[at]]
        return [self._heading(width), *(rows or [[(f" {self._empty}", "muted")]])]

    def _heading(self, width: int) -> Line:
        """The titles; beside the main one, if there is room, how many rows are out of sight."""
        ink = "heading-focus" if self.has_focus else "heading"
        titles = [column.title for column in self._columns]
        main = max(range(len(titles)), key=lambda i: self._columns[i].grow)
        below = len(self._items) - self._top - self._rows
        more = f"{titles[main]}  ↓{below:,}"
        if below > 0 and len(more) <= tables.widths(self._columns, width)[main]:
            titles[main] = more
        cells: list[Line] = [[(title, ink)] for title in titles]
        return [(text, ink) for text, _ in tables.row(self._columns, width, cells)]

    @property
    def _rows(self) -> int:
        return max(1, self.size.height - _HEADING_ROWS)

    def action_move(self, by: int) -> None:
        """The cursor goes up or down."""
        self._go(self._cursor + by)

    def action_page(self, by: int) -> None:
        """The cursor goes a page up or down."""
        self._go(self._cursor + by * self._rows)

    def action_jump(self, to: int) -> None:
        """The cursor goes to the first (0) or the last (-1) item."""
        self._go(to if to >= 0 else len(self._items) - 1)

    def choose(self) -> None:
        """The item under the cursor is meant."""
        if self.item is not None:
            self.post_message(Chosen(self, self.item))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the cursor; at the end it moves what is around the table."""
        self._wheel(event, 1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """As above."""
        self._wheel(event, -1)

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor on an item; that one or a second one chooses it."""
        index = self._top + event.y - _HEADING_ROWS
        if event.y < _HEADING_ROWS:
            column = tables.column_at(self._columns, self.size.width, event.x)
            if column is not None:
                self.post_message(Headed(self, self._columns[column]))
        if event.y < _HEADING_ROWS or index >= len(self._items):
            return
        self._go(index)
        if event.chain >= self._clicks:
            self.choose()

    def on_resize(self) -> None:
        """Other rows may be in sight now."""
        self._keep_in_sight()
        self.redraw()

    def _wheel(self, event: events.MouseEvent, by: int) -> None:
        if 0 <= self._cursor + by < len(self._items):
            event.stop()
            self._go(self._cursor + by)

    def _go(self, to: int) -> None:
        before, self._cursor = self._cursor, to
        self._keep_in_sight()
        self.redraw()
        if self._cursor != before and self.item is not None:
            self.post_message(Moved(self, self.item))

    def _keep_in_sight(self) -> None:
        self._cursor = max(0, min(self._cursor, len(self._items) - 1))
        top = min(self._top, self._cursor, max(0, len(self._items) - self._rows))
        self._top = max(top, self._cursor - self._rows + 1, 0)
