"""The screen of one job: verdict, curves, lists.

Owns its layout and what is drawn when. Must not know how the job is measured, worded or drawn.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Grid, VerticalScroll

from gradwatch.model import Job, Quiet
from gradwatch.tui import banner
from gradwatch.tui.facts import ENDS
from gradwatch.tui.figures import figures, whole
from gradwatch.tui.messages import Asked, Chosen, Moved
from gradwatch.tui.past import Past
from gradwatch.tui.screens.live import LiveScreen, View
from gradwatch.tui.verdict import subject, verdict
from gradwatch.tui.widgets.body import Curves
from gradwatch.tui.widgets.canvas import Banner, Canvas
from gradwatch.tui.widgets.joblists import JobLists
from gradwatch.tui.widgets.keys import Keys
from gradwatch.tui.widgets.plot import Plot
from gradwatch.tui.widgets.search import Search
from gradwatch.tui.zoom import Zoom

_PLOTS: Final = 4

_BETWEEN_S: Final = 0.25
"""Between two drawings, seconds: the curves cost about 10 ms."""


class JobScreen(LiveScreen):
    """One job."""

    AUTO_FOCUS = "#body"
    KEYS = (
        "A job",
        (
            ("enter d", "why: the finding in the verdict, and what to change"),
            ("+ -", "show less or more of the past; 0 or esc, all of it"),
            ("← → h l", "scroll through the past, or move the crosshair"),
            ("x", "crosshair with the values there; so does the mouse"),
            ("i", "time instead of iterations under the curves, and back"),
            ("tab", "next list, shift+tab the one before; esc to the top"),
            ("↑ ↓ j k", "within a list: move; the verdict shows the finding there"),
            ("/", "filter the backward passes: `failed`, a line, a name"),
            ("a", "acknowledge the finding: quiet until it gets worse"),
            ("m", "mute it; the same key again takes either back"),
            ("j esc", "all jobs; within a list, esc first"),
        ),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,d", "explain", "why", key_display="enter", tooltip="Explain the finding"),
        Binding("enter,d", "nothing", show=False),
        Binding("tab", "app.focus_next", "lists"),
        Binding("left,h", "shift(-1)", show=False),
        Binding("right,l", "shift(1)", show=False),
        Binding("plus,equals_sign", "zoom(1)", "zoom", key_display="+-", tooltip="Zoom in"),
        Binding("minus", "zoom(-1)", show=False, key_display="-", tooltip="Zoom out"),
        Binding("0", "whole", show=False, tooltip="Show all of the past"),
        Binding("x", "cross", "values", tooltip="Crosshair with values"),
        Binding("i", "x_axis", show=False, tooltip="Time or iterations under the curves"),
        Binding("a", "hush('known')", show=False, tooltip="Acknowledge the finding"),
        Binding("m", "hush('muted')", show=False, tooltip="Mute the finding"),
        Binding("slash", "search", "filter", key_display="/", tooltip="Filter backward passes"),
        Binding("escape", "top", "back", show=False),
    ]

    def __init__(self, view: View, key: str) -> None:
        super().__init__(view)
        self.key = key
        self._past = Past(self.job)
        self._header = Canvas(id="header")
        self._verdict = Banner(id="verdict")
        self._plots = [Plot() for _ in range(_PLOTS)]
        self._zoom = Zoom()
        self._pinned = False
        """The crosshair was called by a key: the mouse does not take it away."""
        self._lists = JobLists(lambda: self.job, id="lists")
        self._search = Search(id="search")
        self._drawn = -1
        """Revision of what the curves and lists show."""
        self._drawn_at = self._worded_at = 0.0
        self._is_well: bool | None = None
        """Whether there is nothing to be explained, as the line of keys has it."""
        self._subjects: tuple[object, ...] = ()
        """What the words spoke of."""

    def compose(self) -> ComposeResult:
        """Verdict first; curves and lists below it scroll if they must."""
        yield self._header
        yield self._verdict
        with Curves(id="body"):
            with Grid(id="plots"):
                yield from self._plots
            yield self._lists
        yield self._search
        yield from self.output_pane()
        yield Keys()

    @property
    def job(self) -> Job:
        """As it is, or as it was when the display was frozen."""
        return self.view.shown[self.key]

    @property
    def name_to_save(self) -> str:
        """The job's."""
        return self.job.name or self.job.key

    def refresh_view(self) -> None:
        """Words now and then, and as soon as they say something else; curves and lists when the
        job has changed, and not too often.
        """
        if self._past.job is not self.job:
            self._past, self._drawn = Past(self.job), -1
        subjects = self.view.paused, self.job.state, subject(self.job, self._lists.chosen)
        if self._is_over(self._worded_at) or subjects != self._subjects:
            self._worded_at, self._subjects = self.view.now, subjects
            self._show_words()
        if self._drawn != self.job.revision and (self._drawn < 0 or self._is_over(self._drawn_at)):
            self._drawn, self._drawn_at = self.job.revision, self.view.now
            self._show_past()

    def _is_over(self, begun: float) -> bool:
        """Whether the time between two drawings has passed since; the clock may have been set."""
        return not 0 <= self.view.now - begun < _BETWEEN_S

    def _show_words(self) -> None:
        self.set_class(self.job.state in ENDS, "-dead")
        left, right = banner.header(self.job, paused=self.view.paused)
        right += [] if self._zoom.is_whole else banner.ZOOMED
        self._header.show(lambda width, _height: [banner.header_line(left, right, width)])
        chosen = self._lists.chosen
        said, about = verdict(self.job, self.view.now, chosen), subject(self.job, chosen)
        self._verdict.show(partial(banner.verdict_lines, said, banner.more(self.job, about)))
        if self._is_well != (about is None):
            self._is_well = about is None
            self.refresh_bindings()

    def _show_past(self) -> None:
        """Curves and lists."""
        self._show_curves()
        self._show_lists()

    def _show_curves(self) -> None:
        shown = figures(self._past, self._zoom, by_time=self.view.by_time)
        for plot, figure in zip(self._plots, shown, strict=True):
            plot.plot(figure)

    def _show_lists(self) -> None:
        zoom = self._zoom
        first, last = zoom.shown(whole(self.job))
        upto = zoom.cross if zoom.cross is not None else None if zoom.end is None else last
        window = None if zoom.is_whole else round(last - first)
        self._lists.show(self._search.text, upto, window)

    def _look(self, zoom: Zoom) -> None:
        """Shows another part of the past, or other values of it."""
        if zoom != self._zoom:
            self._zoom = zoom
            self._show_words()
            self._show_past()

    def action_zoom(self, steps: int) -> None:
        """Nearer or farther."""
        self._look(self._zoom.zoomed(steps, whole(self.job)))

    def action_shift(self, steps: int) -> None:
        """Through the past; the crosshair alone, if there is one."""
        self._look(self._zoom.moved(steps, whole(self.job)))

    def action_whole(self) -> None:
        """All of the past again, and no crosshair."""
        self._pinned = False
        self._look(Zoom())

    def action_cross(self) -> None:
        """The crosshair comes, in the middle of what is shown, or goes."""
        self._pinned = self._zoom.cross is None
        middle = round(sum(self._zoom.shown(whole(self.job))) / 2)
        self._look(replace(self._zoom, cross=middle if self._pinned else None))

    def action_x_axis(self) -> None:
        """Time, or iterations again."""
        self.view.by_time = not self.view.by_time
        self._show_curves()

    @on(Plot.Pointed)
    def _pointed(self, message: Plot.Pointed) -> None:
        if not self._pinned:
            self._look(replace(self._zoom, cross=message.at))

    @on(Plot.Spanned)
    def _spanned(self, message: Plot.Spanned) -> None:
        self._look(self._zoom.spanning(message.one, message.other, whole(self.job)))

    @on(Plot.Zoomed)
    def _zoomed(self, message: Plot.Zoomed) -> None:
        self.action_zoom(message.steps)

    def action_search(self) -> None:
        """Backward passes are filtered by what is typed."""
        self._lists.scroll_visible(animate=False, top=True)
        self._search.start()

    @on(Search.Sought)
    def _sought(self) -> None:
        self._show_lists()

    @on(Search.Done)
    def _done(self) -> None:
        self._lists.enter_backwards()

    @on(Chosen, "#findings")
    @on(events.Click, "#verdict")
    def action_explain(self) -> None:
        """The finding in the verdict gets a screen of its own."""
        self.post_message(Asked(self.job, self._lists.chosen))

    def action_nothing(self) -> None:
        """Whoever asks for an explanation where there is none is told so."""
        self.action_explain()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Of a job that is well nothing is explained."""
        if action in ("explain", "nothing"):
            is_well = subject(self.job, self._lists.chosen) is None
            return is_well == (action == "nothing")
        return super().check_action(action, parameters)

    def action_hush(self, how: Quiet) -> None:
        """The finding in the verdict is told no more, or again; if none is there, the last one that
        was put aside so.
        """
        aside = [found for found in self.job.quiet_findings if self.job.hushed(found) == how]
        if finding := subject(self.job, self._lists.chosen) or next(reversed(aside), None):
            self.view.hush(self.key, finding, how)
            self._show_past()
            self._show_words()

    @on(Moved, "#findings")
    def _another_finding(self) -> None:
        """The verdict shows the finding under the cursor."""
        self._show_words()

    @on(Curves.Resized)
    def _resized(self) -> None:
        self.call_after_refresh(self._lists.show_whole)

    def on_descendant_focus(self) -> None:
        """The findings' cursor counts while it is seen; a list is seen whole."""
        self._show_words()
        self._lists.show_whole()

    def on_descendant_blur(self) -> None:
        """As above."""
        self._show_words()

    async def action_top(self) -> None:
        """Back to all of the curves; from there, back to all jobs."""
        body = self.query_one("#body", VerticalScroll)
        if self._search.display:
            self._search.clear()
        elif self._zoom != Zoom():
            self.action_whole()
        elif body.has_focus and not body.scroll_y:
            await self.run_action("app.jobs")
            return
        body.focus()
        body.scroll_home(animate=False)
