"""The screen of one job: verdict, curves, lists.

Owns its layout and what is drawn when. Must not know how the job is measured, worded or drawn.
"""

from __future__ import annotations

from functools import partial
from operator import attrgetter
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, VerticalScroll
from textual.widgets import Footer

from gradwatch.model import Job
from gradwatch.tui import banner, plots, rows
from gradwatch.tui.facts import ENDS
from gradwatch.tui.figures import figures
from gradwatch.tui.messages import Asked, Chosen, Moved
from gradwatch.tui.screens.live import LiveScreen, View
from gradwatch.tui.verdict import subject, verdict
from gradwatch.tui.widgets.canvas import Banner, Canvas
from gradwatch.tui.widgets.table import Table
from gradwatch_agent import wire

_PLOTS: Final = 4

_CURVES_S: Final = 0.25
"""Between two drawings of the curves, which cost about 10 ms; words cost nothing."""
_LONG: Final = 2_000
"""Records from which on they cost more, and move less: longer jobs are drawn less often."""


class JobScreen(LiveScreen):
    """One job."""

    AUTO_FOCUS = "#body"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,d", "explain", "why", key_display="enter"),
        Binding("tab", "app.focus_next", "lists"),
        Binding("escape", "top", "back", show=False),
    ]

    def __init__(self, view: View, job: Job) -> None:
        super().__init__(view)
        self.job = job
        self._header = Canvas(id="header")
        self._verdict = Banner(id="verdict")
        self._plots = [Canvas(classes="plot") for _ in range(_PLOTS)]
        self._findings: Table[wire.Finding] = Table(
            rows.FINDINGS,
            partial(rows.finding_cells, job),
            key=attrgetter("id", "kind"),
            id="findings",
            empty="none so far",
        )
        self._types = Table(
            rows.type_columns(0),
            rows.type_cells,
            key=attrgetter("name"),
            id="types",
            empty="not counted yet",
        )
        self._backwards: Table[wire.Backward] = Table(
            rows.BACKWARDS,
            partial(rows.backward_cells, job),
            key=attrgetter("at", "iteration"),
            id="backwards",
            empty="none so far",
        )
        self._drawn = -1
        """Revision of what the curves and lists show."""
        self._drawn_at = 0.0

    def compose(self) -> ComposeResult:
        """Verdict first; curves and lists below it scroll if they must."""
        yield self._header
        yield self._verdict
        with VerticalScroll(id="body"):
            with Grid(id="plots"):
                yield from self._plots
            with Grid(id="lists"):
                yield from (self._findings, self._types, self._backwards)
        yield Footer(show_command_palette=False)

    @property
    def name_to_save(self) -> str:
        """The job's."""
        return self.job.name or self.job.key

    def refresh_view(self) -> None:
        """Words each time; curves and lists when the job has changed, and not too often."""
        self._show_words()
        pause_s = _CURVES_S * max(1.0, len(self.job.iterations) / _LONG)
        is_due = not 0 <= self.view.now - self._drawn_at < pause_s
        if is_due and self._drawn != self.job.revision:
            self._drawn, self._drawn_at = self.job.revision, self.view.now
            self._show_curves()
            self._show_lists()

    def _show_words(self) -> None:
        self.set_class(self.job.state in ENDS, "-dead")
        left, right = banner.header(self.job, paused=self.view.paused)
        self._header.show(lambda width, _height: [banner.header_line(left, right, width)])
        said = verdict(self.job, self.view.now, self._chosen)
        aside = banner.more(self.job, subject(self.job, self._chosen))
        self._verdict.show(partial(banner.verdict_lines, said, aside))

    @property
    def _chosen(self) -> wire.Finding | None:
        """The finding under the cursor, while the cursor is seen."""
        return self._findings.item if self._findings.has_focus else None

    def _show_curves(self) -> None:
        for canvas, figure in zip(self._plots, figures(self.job), strict=True):
            canvas.show(partial(plots.draw, figure))

    def _show_lists(self) -> None:
        self._findings.show(rows.findings(self.job))
        self._backwards.show(rows.backwards(self.job))
        items, window = rows.types(self.job)
        self._types.show(items, rows.type_columns(window))

    @on(Chosen, "#findings")
    @on(events.Click, "#verdict")
    def action_explain(self) -> None:
        """The finding in the verdict gets a screen of its own."""
        self.post_message(Asked(self.job, self._chosen))

    @on(Moved, "#findings")
    def _another_finding(self) -> None:
        """The verdict shows the finding under the cursor, and may be higher or lower for it."""
        self._show_words()
        self.call_after_refresh(self._show_lists_whole)

    def on_descendant_focus(self) -> None:
        """The findings' cursor counts while it is seen; a list is seen whole."""
        self._show_words()
        self._show_lists_whole()

    def on_descendant_blur(self) -> None:
        """As above."""
        self._show_words()

    def _show_lists_whole(self) -> None:
        if isinstance(self.focused, Table):
            self.query_one("#lists").scroll_visible(animate=False, top=True)

    async def action_top(self) -> None:
        """Back to the curves; from there, back to all jobs."""
        body = self.query_one("#body", VerticalScroll)
        if body.has_focus and not body.scroll_y:
            await self.run_action("app.jobs")
            return
        body.focus()
        body.scroll_home(animate=False)
