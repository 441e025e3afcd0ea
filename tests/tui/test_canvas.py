"""What a widget sends to the terminal when its picture changes."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.geometry import Region
from textual.screen import Screen

from gradwatch.tui.inks import InkedApp
from gradwatch.tui.widgets.canvas import Canvas


class Paper(Screen[None]):
    def compose(self) -> ComposeResult:
        yield Canvas()


class Shown(InkedApp[None]):
    def get_default_screen(self) -> Screen[None]:
        return Paper()


def picture(*texts: str):
    return lambda _width, _height: [[(text, "text")] for text in texts]


async def test_only_rows_that_changed_are_drawn_again():
    app = Shown()
    async with app.run_test(size=(20, 5)) as pilot:
        canvas = app.screen.query_one(Canvas)
        canvas.show(picture("one", "two", "three"))
        await pilot.pause()
        drawn = []
        canvas.refresh = lambda *regions, **_: drawn.extend(regions)
        for texts in (("one", "2", "three"), ("one", "2", "three"), ("one", "2"), ("1", "2", "3")):
            canvas.show(picture(*texts))
            drawn.append(None)
    rows = [region if region is None else region.y for region in drawn]
    assert rows == [1, None, None, 2, None, 0, 2, None]
    assert Region(0, 1, 20, 1) in drawn
