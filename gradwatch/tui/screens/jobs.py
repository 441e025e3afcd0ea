"""The screen of all jobs.

Owns its layout, and what it says when there is none. Must not know how a row is worded.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Footer

from gradwatch.model import Job
from gradwatch.tui import overview
from gradwatch.tui.banner import PAUSED, header_line, verdict_lines
from gradwatch.tui.lines import Line, fit
from gradwatch.tui.messages import Asked, Moved
from gradwatch.tui.screens.live import LiveScreen, View
from gradwatch.tui.verdict import subject, verdict
from gradwatch.tui.widgets.canvas import Banner, Canvas
from gradwatch.tui.widgets.table import Table

_LOOKING_S: Final = 1.5
"""So long after the start no job is no news: one may still be answering."""

_NO_JOB: Final = (
    ("No job found.", "title"),
    ("", "text"),
    ("Put `import gradwatch_agent.auto` into your script,", "text"),
    ("or start it with `gradwatch run -- python train.py`.", "text"),
    ("", "text"),
    ("This screen goes on looking.  q quits, ? helps.", "muted"),
)


class JobsScreen(LiveScreen):
    """A row for each job; enter opens one."""

    AUTO_FOCUS = "#jobs"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", key_display="enter"),
        Binding("d", "explain", "why"),
    ]

    def __init__(self, view: View) -> None:
        super().__init__(view)
        self._header = Canvas(id="header")
        self._nothing = Canvas(id="nothing")
        self._table = Table(overview.COLUMNS, attrgetter("cells"), key=attrgetter("key"), id="jobs")
        self._verdict = Banner(id="verdict")
        self._rows: dict[str, tuple[tuple[int, int], overview.JobItem]] = {}

    def compose(self) -> ComposeResult:
        """Header, table (or a word in its place), the verdict on one job, keys."""
        yield from (self._header, self._nothing, self._table, self._verdict)
        yield Footer(show_command_palette=False)

    @property
    def name_to_save(self) -> str:
        """There is one such screen."""
        return "jobs"

    def refresh_view(self) -> None:
        """Words the rows of the jobs that have changed."""
        jobs = overview.gravest_first(self.view.jobs.values())
        self.set_class(not jobs, "-empty")
        words, right = overview.summary(jobs), PAUSED if self.view.paused else []
        self._header.show(lambda width, _height: [header_line(words, right, width)])
        if jobs:
            self._table.show([self._row(job) for job in jobs])
            self._show_verdict()
        else:
            looking = self.view.now - self.view.started < _LOOKING_S
            self._nothing.show(partial(_nothing, looking))

    def _row(self, job: Job) -> overview.JobItem:
        """The job's row; worded anew when the job or the second has changed."""
        stamp = job.revision, int(self.view.now)
        if job.key not in self._rows or self._rows[job.key][0] != stamp:
            self._rows[job.key] = stamp, overview.item(job, self.view.now)
        return self._rows[job.key][1]

    @on(Moved, "#jobs")
    def _show_verdict(self) -> None:
        """What is the matter with the job under the cursor."""
        item = self._table.item
        if item is not None:
            said = verdict(job := self.view.jobs[item.key], self.view.now)
            aside = "d: why" if subject(job) else ""
            self._verdict.show(partial(verdict_lines, said, aside))

    @on(events.Click, "#verdict")
    def action_explain(self) -> None:
        """The top finding of the job under the cursor gets a screen of its own."""
        if self._table.item is not None:
            self.post_message(Asked(self.view.jobs[self._table.item.key], None))

    def action_open(self) -> None:
        """The job under the cursor gets the screen."""
        self._table.choose()


def _nothing(looking: bool, width: int, height: int) -> list[Line]:  # noqa: FBT001
    words = (("Looking for jobs…", "muted"),) if looking else _NO_JOB
    above: list[Line] = [[] for _ in range(max(0, (height - len(words)) // 3))]
    left = max(0, (width - max(len(text) for text, _ in words)) // 2)
    return above + [fit([(" " * left, "text"), piece], width) for piece in words]
