"""The dashboard: takes events from a source, folds them into jobs, shows screens.

Owns the jobs, the tick and what a key does everywhere. Must not know sockets, nor how
anything is worded or drawn.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from textual import on
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.screen import Screen

from gradwatch.model import Job
from gradwatch.tui.inbox import Deliver, Inbox, Source
from gradwatch.tui.listed import ORDER_NAMES, Row
from gradwatch.tui.messages import Asked, Chosen
from gradwatch.tui.output import Output
from gradwatch.tui.saving import SavingApp
from gradwatch.tui.screens.diagnosis import DiagnosisScreen
from gradwatch.tui.screens.help import HelpScreen
from gradwatch.tui.screens.job import JobScreen
from gradwatch.tui.screens.jobs import JobsScreen
from gradwatch.tui.screens.live import LiveScreen, View
from gradwatch.tui.terminal import is_there
from gradwatch.tui.verdict import subject
from gradwatch_agent.wire import Finding

_TICK_S: Final = 0.1
"""Between two looks into the inbox: a screen that changes faster cannot be read."""

_TOGETHER_S: Final = 1.0
"""Jobs that appear so soon after the first are seen as found together with it."""

_UNREACHABLE: Final = 3
"""Exit code of a source that cannot start."""

_INTERRUPTED: Final = 130
"""Exit code after ctrl+C."""

_HUNG_UP: Final = 129
"""Exit code where the terminal is gone, as by SIGHUP."""


class GradwatchApp(SavingApp):
    """`make_source` is given the function by which the source delivers; `interrupt` does to the
    command, whose `output` is shown, what ctrl+C does without a dashboard, and says whether it
    still ran.
    """

    TITLE = "gradwatch"
    CSS_PATH = "app.tcss"
    # The names are those in the .tcss; one of middle width has room for the keys that matter, the
    # smallest wide one for three lists side by side.
    # Textual declares both as attributes of instances.
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (78, "-middle"), (110, "-wide"), (160, "-huge")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (30, "-high")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "jobs", "jobs"),
        Binding("space", "pause", "pause"),
        Binding("space", "go_on", "go on"),
        Binding("s", "save", "save"),
        Binding("v", "output", "output"),
        Binding("question_mark", "help", "help", key_display="?"),
        Binding("t", "theme", "theme", show=False),
        Binding("b", "toggle_bell", "bell", show=False),
        Binding("B", "toggle_desktop", "desktop", show=False),
        Binding("q", "quit", "quit"),
    ]

    def __init__(
        self,
        make_source: Callable[[Deliver], Source],
        *,
        clock: Callable[[], float] = time.time,
        save_to: Path | None = None,
        settings: Path | None = None,
        output: Output | None = None,
        interrupt: Callable[[], bool] | None = None,
        waits_at: tuple[str, ...] = (),
    ) -> None:
        super().__init__(settings, clock, save_to)
        self._inbox = Inbox()
        self._source = make_source(self._inbox.deliver)
        self._interrupt = interrupt
        self._drawn_by: asyncio.AbstractEventLoop | None = None
        self._opened_at: float | None = None
        """When a job's screen was opened without being asked for."""
        self._announced: set[str] = set()
        order = self.memory.settings.order
        order = order if order in ORDER_NAMES else ORDER_NAMES[0]
        self.view = View(jobs={}, order=order, output=output, waits_at=waits_at)

    def get_driver_class(self) -> type[Driver]:
        """What draws; on a unix terminal our own, which bears that it goes away."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":  # which cannot be imported everywhere
            return usual
        from gradwatch.tui.terminal_driver import TerminalDriver

        return TerminalDriver

    @property
    def jobs(self) -> dict[str, Job]:
        """All jobs seen, by key."""
        return self.view.jobs

    def on_mount(self) -> None:
        """Starts the source; the first screen is that of all jobs."""
        self._drawn_by = asyncio.get_running_loop()
        self.view.now = self.view.started = self._clock()
        self.push_screen(JobsScreen(self.view))
        try:
            self._source.start()
        except OSError as error:
            self.exit(return_code=_UNREACHABLE, message=f"gradwatch: {error}")
            return
        self.set_interval(_TICK_S, self.tick)
        if not self.is_headless:  # else a full collection halts what is drawn for 0.1 s
            self.call_after_refresh(gc.freeze)

    def on_unmount(self) -> None:
        """Stops the source."""
        self.leave()
        self.memory.change(order=self.view.order)

    def leave(self) -> None:
        """Stops the source; for whoever ran us too, whom a signal may have taken out of the run."""
        self._source.stop()

    def in_turn(self, act: Callable[[], object]) -> None:
        """For signals, which come amid anything: has it done once nothing else runs. What it ends
        by SystemExit is the dashboard, with that code.
        """
        try:
            if self._drawn_by is not None:
                self._drawn_by.call_soon_threadsafe(self._do, act)
                return
        except RuntimeError:  # the loop is closed
            pass
        act()

    def _do(self, act: Callable[[], object]) -> None:
        try:
            act()
        except SystemExit as error:
            self.exit(return_code=error.code if isinstance(error.code, int) else 1)

    def tick(self) -> None:
        """Folds what has come, and shows it unless paused."""
        if not (self.is_headless or self.is_web or is_there()):
            self.exit(return_code=_HUNG_UP)
            return
        for key, event in self._inbox.drain():
            job = self.jobs.setdefault(key, Job(key))
            before = job.known(event) if isinstance(event, Finding) else None
            job.fold(event)
            if isinstance(event, Finding):
                self.ring(job, event, before, self.view.started)
        if not self.view.paused:
            self.view.now = self._clock()
            self._welcome()
            self._show()
            self._show_output()

    def _show_output(self) -> None:
        """What has been printed; nothing is read ahead of what is shown."""
        if self.view.output and (screen := self._live) and self.view.output.poll():
            screen.refresh_output()

    def _welcome(self) -> None:
        """The only job opens by itself; one that comes later is announced."""
        if self._opened_at is None and self.jobs:
            self._opened_at = self._clock()
            if len(self.jobs) == 1:
                self._open(next(iter(self.jobs)))
        known = [key for key, job in self.jobs.items() if job.hello]
        new = [key for key in known if key not in self._announced]
        self._announced.update(new)
        new = [key for key in new if key != getattr(self._live, "key", None)]
        if len(self.jobs) < 2 or not new or isinstance(self.screen, JobsScreen):
            return
        if self._clock() - (self._opened_at or 0.0) < _TOGETHER_S:
            self.action_jobs()
        else:
            names = ", ".join(self.jobs[key].name for key in new)
            self.notify(f"A new job: {names}. Press j for all jobs.", markup=False)

    @property
    def _live(self) -> LiveScreen | None:
        """The topmost screen of jobs, once it can be drawn on; a help screen may lie over it."""
        live = (screen for screen in reversed(self.screen_stack) if isinstance(screen, LiveScreen))
        screen = next(live, None)
        return screen if screen and screen.is_ready else None

    def _show(self) -> None:
        """Makes the topmost screen of jobs draw."""
        if screen := self._live:
            screen.refresh_view()

    def _open(self, key: str) -> None:
        self.push_screen(JobScreen(self.view, key))

    @on(Chosen, "#jobs")
    def open_chosen(self, message: Chosen) -> None:
        """Enter on a row of the table of jobs."""
        if isinstance(row := message.item, Row):
            if row.group is None:
                self._open(row.job.key)
            elif isinstance(self.screen, JobsScreen):
                self.screen.turn(row.key)

    @on(Asked)
    def explain(self, message: Asked) -> None:
        """A finding gets its screen."""
        finding = subject(message.job, message.finding)
        if isinstance(self.screen, DiagnosisScreen):
            return  # a second click that came too late
        if finding is None:
            self.notify("Nothing is wrong with this job.", markup=False)
        else:
            self.push_screen(DiagnosisScreen(self.view, message.job.key, finding))

    def action_jobs(self) -> None:
        """Back to all jobs."""
        while len(self.screen_stack) > 1 and not isinstance(self.screen, JobsScreen):
            self.pop_screen()
        self._show()

    def action_pause(self) -> None:
        """Freezes the display, or lets it go on; data is folded all the same."""
        if self.view.paused:
            self.view.thaw()
        else:
            self.view.freeze()
        self._show()
        self.screen.refresh_bindings()

    def action_go_on(self) -> None:
        """The same key, by what it does to a frozen display."""
        self.action_pause()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is no output where no command was started; what is frozen can only go on."""
        if action == "output":
            return self.view.output is not None
        if action in ("pause", "go_on"):
            return self.view.paused == (action == "go_on")
        return super().check_action(action, parameters)

    def action_output(self) -> None:
        """Shows or hides what the command prints."""
        self.view.hides_output = not self.view.hides_output
        if screen := self._live:
            screen.refresh_output()

    def action_help_quit(self) -> None:
        """Ctrl+C, by Textual's name for it: ends the command, else the dashboard."""
        if self._interrupt is not None and self._interrupt():
            self.notify("Ctrl+C was sent to the command. q leaves the dashboard.", markup=False)
        elif self.is_web:  # there it may be meant to copy
            super().action_help_quit()
        else:
            self.exit(return_code=_INTERRUPTED)

    def action_help(self) -> None:
        """Shows the keys of this screen, and the signs."""
        if isinstance(self.screen, LiveScreen):
            self.push_screen(HelpScreen(*self.screen.KEYS))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:  # noqa: ARG002
        """What the palette offers: the keys that hold everywhere, by name."""
        yield from self._commands_of_screen()
        yield SystemCommand("Jobs", "Show all jobs", self.action_jobs)
        yield SystemCommand("Pause", "Freeze the display, or let it go on", self.action_pause)
        yield SystemCommand("Save", "Save the screen, as SVG and as text", self.action_save)
        yield SystemCommand("Help", "Keys of this screen, and signs", self.action_help)
        yield from self.preferences()
        yield SystemCommand("Quit", "Leave; the jobs go on", self.action_quit)

    def _commands_of_screen(self) -> Iterable[SystemCommand]:
        """The keys of the screen below the palette."""
        screen = self._live
        if screen is None:
            return
        for binding in screen.BINDINGS:
            if isinstance(binding, Binding) and binding.tooltip:
                key = binding.key_display or binding.key.partition(",")[0]
                run = partial(self.call_later, screen.run_action, binding.action)
                yield SystemCommand(binding.tooltip, f"Key {key}", run)
