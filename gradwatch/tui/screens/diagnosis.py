"""The screen of one finding: why, and what to change.

Owns its layout and what its keys do. Must not know how a finding is worded.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from gradwatch.model import Job, Quiet
from gradwatch.tui import banner, rows
from gradwatch.tui.diagnosis import page, plain
from gradwatch.tui.lines import Line
from gradwatch.tui.screens.live import LiveScreen, View
from gradwatch.tui.verdict import verdict
from gradwatch.tui.widgets.body import Body
from gradwatch.tui.widgets.canvas import Banner, Canvas
from gradwatch.tui.widgets.keys import Keys
from gradwatch_agent.wire import Finding


class DiagnosisScreen(LiveScreen):
    """One finding of a job, in its newest state."""

    AUTO_FOCUS = "#page"
    KEYS = (
        "A finding",
        (
            ("esc", "back"),
            ("↑ ↓ j k", "scroll; g and G, to the top and the end"),
            ("n p ← →", "the next and the one before, of the same job"),
            ("c", "copy the text to the clipboard (OSC 52)"),
            ("a", "acknowledge it: no more of it until it gets worse"),
            ("m", "mute it: no more of it at all; both take back what they did"),
            ("◀ stale", "where the loss's graph reaches into an earlier iteration"),
        ),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,backspace", "app.back", "back", key_display="esc"),
        Binding("n,right,l", "next(1)", "next", key_display="n", tooltip="Next finding"),
        Binding("p,left,h", "next(-1)", show=False, key_display="p", tooltip="Finding before"),
        Binding("c", "copy", "copy", tooltip="Copy the text"),
        Binding("a", "hush('known')", "known", tooltip="Acknowledge the finding"),
        Binding("m", "hush('muted')", "mute", tooltip="Mute the finding"),
    ]

    def __init__(self, view: View, key: str, finding: Finding) -> None:
        super().__init__(view)
        self.key = key
        self._finding = finding
        self._header = Canvas(id="header")
        self._verdict = Banner(id="verdict")
        self._body = Banner(id="diagnosis")
        self._has_others = False
        """Whether there are other findings, as the line of keys has it."""

    def compose(self) -> ComposeResult:
        """Header, title, and a page that scrolls."""
        yield from (self._header, self._verdict)
        with Body(id="page"):
            yield self._body
        yield Keys()

    @property
    def job(self) -> Job:
        """As it is, or as it was when the display was frozen."""
        return self.view.shown[self.key]

    @property
    def finding(self) -> Finding:
        """In its newest state."""
        name = self._finding.id or self._finding.kind
        return self.job.findings.get(name, self._finding)

    @property
    def name_to_save(self) -> str:
        """Job and kind."""
        return f"{self.job.name}-{self.finding.kind}"

    @property
    def text_to_save(self) -> str:
        """The whole page, though only a part of it may be in sight."""
        return plain(self.job, self.finding, self.view.now)

    def refresh_view(self) -> None:
        """Words it anew; what looks as before is not drawn again."""
        left, right = banner.header(self.job, paused=self.view.paused)
        self._header.show(lambda width, _height: [banner.header_line(left, right, width)])
        said = verdict(self.job, self.view.now, self.finding)
        aside = " · ".join(filter(None, (self.job.hushed(self.finding), self._place())))
        self._verdict.show(partial(banner.title_lines, said, aside))
        self._body.show(partial(_page, self.job, self.finding, self.view.now))
        has_others = len(rows.findings(self.job)) > 1
        if self._has_others != has_others:
            self._has_others = has_others
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The only finding has none next to it."""
        return self._has_others if action == "next" else super().check_action(action, parameters)

    def _place(self) -> str:
        """Which of how many findings this is."""
        known = rows.findings(self.job)
        at = next((i for i, one in enumerate(known) if one is self.finding), 0)
        return f"{at + 1} of {len(known)} findings" if len(known) > 1 else ""

    def action_next(self, by: int) -> None:
        """Another finding of the same job."""
        known = rows.findings(self.job)
        at = next((i for i, one in enumerate(known) if one is self.finding), 0)
        if known:
            self._finding = known[(at + by) % len(known)]
            self.query_one("#page").scroll_home(animate=False)
            self.refresh_view()

    def action_hush(self, how: Quiet) -> None:
        """It is told no more, or again."""
        self.view.hush(self.key, self.finding, how)
        self.refresh_view()

    def action_copy(self) -> None:
        """Puts the text into the terminal's clipboard (OSC 52)."""
        self.app.copy_to_clipboard(self.text_to_save)
        self.notify("Copied to the clipboard, if the terminal allows it.", markup=False)


def _page(job: Job, finding: Finding, now: float, width: int, rows: int) -> list[Line]:
    return page(job, finding, now, width, rows)
