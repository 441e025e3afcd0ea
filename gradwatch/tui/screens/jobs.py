"""The screen of all jobs.

Owns its layout, what its keys do, and what it says when there is none. Must not know how a row
is worded.
"""

from __future__ import annotations

import math
from functools import partial
from operator import attrgetter
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from gradwatch.tui import overview
from gradwatch.tui.banner import PAUSED, header_line, verdict_lines
from gradwatch.tui.lines import Line, fit
from gradwatch.tui.listed import ORDER_NAMES, Row, listed
from gradwatch.tui.messages import Asked, Headed, Moved
from gradwatch.tui.screens.live import LiveScreen, View
from gradwatch.tui.tables import Column, widths
from gradwatch.tui.verdict import subject, verdict
from gradwatch.tui.widgets.canvas import Banner, Canvas
from gradwatch.tui.widgets.keys import Keys
from gradwatch.tui.widgets.search import Search
from gradwatch.tui.widgets.table import Table

_ROWS_S: Final = 0.3
"""Between two looks at all jobs, seconds: rows that move faster cannot be read."""

_LOOKING_S: Final = 1.5
"""So long after the start no job is no news: one may still be answering."""

_NO_JOB: Final = (
    ("No job found.", "title"),
    ("", "text"),
    ("Put `import gradwatch_agent.auto` into your script,", "text"),
    ("or start it with `gradwatch run -- python train.py`.", "text"),
    ("Has it ended? `gradwatch report` tells what was found.", "text"),
    ("", "text"),
    ("This screen goes on looking.  q quits, ? helps.", "muted"),
)

_NO_CALL: Final = (
    ("No job has called yet.", "title"),
    ("", "text"),
    ("Start it, where it runs, with a viewer's keys and", "text"),
    ("GRADWATCH_ENDPOINT=connect://{}", "text"),
    ("", "text"),
    ("This screen goes on waiting.  q quits, ? helps.", "muted"),
)


class JobsScreen(LiveScreen):
    """A row for each job, the ranks of one under each other; enter opens one."""

    AUTO_FOCUS = "#jobs"
    KEYS = (
        "All jobs",
        (
            ("enter", "open the job under the cursor, or show and hide its ranks"),
            ("d", "why: the job's top finding, and what to change"),
            ("↑ ↓ j k", "move; g and G, to the first and the last"),
            ("o", "sort by the next column; so does a click on its title"),
            ("/", "filter by name, host, state or finding; esc shows all"),
            ("c", "clear the jobs that have finished or crashed from the list"),
        ),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", key_display="enter"),
        Binding("d", "explain", "why", tooltip="Explain the job's top finding"),
        Binding("o", "order", "order", tooltip="Sort by the next column"),
        Binding("c", "clear", show=False, tooltip="Clear jobs that have ended"),
        Binding("slash", "search", "filter", key_display="/", tooltip="Filter jobs"),
        Binding("escape", "show_all", show=False),
    ]

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._header = Canvas(id="header")
        self._nothing = Canvas(id="nothing")
        self._table: Table[Row] = Table(
            overview.columns(view.order), self._cells, key=attrgetter("key"), id="jobs",
            empty="no job matches",
        )  # fmt: skip
        self._search = Search(id="search")
        self._verdict = Banner(id="verdict")
        self._worded: dict[str, tuple[object, tuple[Line, ...]]] = {}
        """The cells of each row, and of what moment they are."""
        self._turned: frozenset[str] = frozenset()
        self._listed_at = 0.0
        self._listed = (0, False)
        """How many jobs there were then, and whether the display was frozen."""

    def compose(self) -> ComposeResult:
        """Header, table (or a word in its place), filter, the verdict on one job, keys."""
        yield from (self._header, self._nothing, self._table, self._search, self._verdict)
        yield from self.output_pane()
        yield Keys()

    @property
    def name_to_save(self) -> str:
        """There is one such screen."""
        return "jobs"

    def on_screen_resume(self) -> None:
        """What was done on another screen shows at once, be it in the same moment."""
        self._listed_at = -math.inf

    def refresh_view(self) -> None:
        """Lists the jobs, unless that has just been done."""
        is_fresh = 0 <= self.view.now - self._listed_at < _ROWS_S
        if not is_fresh or self._listed != (len(self.view.shown), self.view.paused):
            self._list()

    def _list(self) -> None:
        self._listed_at = self.view.now
        self._listed = len(self.view.shown), self.view.paused
        jobs = self.view.shown.values()
        if self.has_class("-empty") == bool(jobs):
            self.set_class(not jobs, "-empty")
            self.refresh_bindings()
        words, right = overview.summary(jobs), PAUSED if self.view.paused else []
        self._header.show(lambda width, _height: [header_line(words, right, width)])
        if jobs:
            found = listed(jobs, self.view.order, self._search.text, self._turned)
            self._table.show(found, overview.columns(self.view.order, jobs))
            self._show_verdict()
        else:
            self._table.show([])
            looking = self.view.now - self.view.started < _LOOKING_S
            self._nothing.show(partial(_nothing, looking, self.view.waits_at))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where there is no job, nothing can be done with one."""
        if action in ("open", "explain", "order", "search"):
            return bool(self.view.shown)
        return super().check_action(action, parameters)

    def _cells(self, row: Row) -> tuple[Line, ...]:
        """The row in words: anew when the second or the row has changed."""
        job, second = row.job, int(self.view.now)
        moment = (second, row.odd, row.is_open, job.state, row.name, tuple(job.quiet.items()))
        known = self._worded.get(row.key)
        if known is None or known[0] != moment:
            known = self._worded[row.key] = moment, overview.cells(row, self.view.now)
        return known[1]

    @on(Moved, "#jobs")
    def _show_verdict(self) -> None:
        """What is the matter with the job under the cursor."""
        row = self._table.item
        if row is not None:
            said = verdict(row.job, self.view.now)
            aside = "d: why" if subject(row.job) else ""
            self._verdict.show(partial(verdict_lines, said, aside))

    @on(events.Click, "#verdict")
    def action_explain(self) -> None:
        """The top finding of the job under the cursor gets a screen of its own."""
        if (row := self._table.item) is not None:
            self.post_message(Asked(row.job, None))

    def action_open(self) -> None:
        """The job under the cursor gets the screen; of a group, its ranks are shown or hidden."""
        self._table.choose()

    def turn(self, key: str) -> None:
        """A group is opened or closed."""
        self._turned ^= {key}
        self._list()

    def action_order(self) -> None:
        """By the next column in sight that can be sorted by."""
        at = ORDER_NAMES.index(self.view.order)
        later = (*ORDER_NAMES[at + 1 :], *ORDER_NAMES[:at])
        self._order(next(filter(self._is_in_sight, later)))

    def _is_in_sight(self, order: str) -> bool:
        """Whether the column is, once the rows are sorted by it."""
        columns = overview.columns(order, self.view.shown.values())
        cells = widths(columns, self._table.size.width)
        shown = (column.title for column, taken in zip(columns, cells, strict=True) if taken)
        return any(title.startswith(order) for title in shown)

    @on(Headed, "#jobs")
    def _headed(self, message: Headed) -> None:
        if isinstance(message.item, Column):
            self._order(message.item.title.rstrip("▾▴"))

    def _order(self, name: str) -> None:
        if name in ORDER_NAMES:
            self.view.order = name
            self._list()

    def action_clear(self) -> None:
        """Jobs that said farewell are listed no more."""
        self.view.drop_ended()
        self._list()

    def action_search(self) -> None:
        """A filter is typed."""
        self._search.start()

    def action_show_all(self) -> None:
        """The filter is taken away."""
        self._search.clear()

    @on(Search.Sought)
    def _sought(self) -> None:
        self._list()

    @on(Search.Done)
    def _done(self) -> None:
        self._table.focus()


def _nothing(looking: bool, waits_at: tuple[str, ...], width: int, height: int) -> list[Line]:  # noqa: FBT001
    words = [("Looking for jobs…", "muted")] if looking else list(_NO_JOB)
    if waits_at:
        words = [(text.format(" or ".join(waits_at)), ink) for text, ink in _NO_CALL]
    above: list[Line] = [[] for _ in range(max(0, (height - len(words)) // 3))]
    left = max(0, (width - max(len(text) for text, _ in words)) // 2)
    return above + [fit([(" " * left, "text"), piece], width) for piece in words]
