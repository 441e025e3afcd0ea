"""What the screens that show jobs have in common.

Owns the call by which the app makes them draw. Must not know where events come from.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, ClassVar, Final

from textual.screen import Screen

from gradwatch.model import Job, Quiet
from gradwatch.tui.lines import Line
from gradwatch.tui.output import Output, Printed
from gradwatch.tui.tables import Column
from gradwatch.tui.widgets.table import Table
from gradwatch_agent.wire import Finding

_PRINTED: Final = (Column("output · v hides it", 20, grow=1),)


@dataclass(slots=True)
class View:
    """What there is to be shown. The app owns and changes it; screens only read."""

    jobs: dict[str, Job]
    now: float = 0.0
    """Seconds since the epoch; stands still while paused."""
    started: float = 0.0
    stills: dict[str, Job] | None = None
    """While the display is frozen: the jobs as they were then."""
    order: str = "top finding"
    """The column by which the table of jobs is sorted."""
    by_time: bool = False
    """Time is under the curves, not iterations."""
    output: Output | None = None
    """What the command prints that the dashboard was started with."""
    hides_output: bool = False
    waits_at: tuple[str, ...] = ()
    """Host and port of each place where jobs may call."""

    @property
    def paused(self) -> bool:
        """Whether the display is frozen."""
        return self.stills is not None

    @property
    def shown(self) -> dict[str, Job]:
        """The jobs to be drawn, by key."""
        return self.jobs if self.stills is None else self.stills

    def freeze(self) -> None:
        """The display stands still from now on; the jobs go on."""
        self.stills = {key: job.still() for key, job in self.jobs.items()}

    def drop_ended(self) -> None:
        """Forgets the jobs that will say no more."""
        for key in [key for key, job in self.shown.items() if job.bye is not None]:
            for jobs in (self.jobs, self.stills or {}):
                jobs.pop(key, None)

    def hush(self, key: str, finding: Finding, how: Quiet) -> None:
        """The finding is told no more, or again; by the job that goes on as well."""
        for jobs in (self.jobs, self.stills or {}):
            if key in jobs:
                jobs[key].hush(finding, how)

    def thaw(self) -> None:
        """Shows the jobs as they are."""
        self.stills = None


class LiveScreen(Screen[Any]):
    """A screen that is told when there may be something new.

    What is abstract here mypy sees to: a screen's metaclass is textual's own.
    """

    KEYS: ClassVar[tuple[str, tuple[tuple[str, str], ...]]]
    """For the help: a title, and what each key of this screen does."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view
        self._printed: Table[Printed] = Table(
            _PRINTED,
            _printed,
            key=attrgetter("number"),
            id="output",
            empty="no output yet",
            follows=True,
        )
        self.is_ready = False
        """Whether there are widgets to draw on yet."""

    @property
    @abstractmethod
    def name_to_save(self) -> str:
        """What a file with this screen is named after."""

    @property
    def text_to_save(self) -> str | None:
        """What to save as text; None: what is in sight."""
        return None

    def on_mount(self) -> None:
        """The first paint shows what is known already."""
        self.is_ready = True
        self.refresh_view()
        self.refresh_output()

    def on_screen_resume(self) -> None:
        """Something may have come while another screen lay over this one."""
        if self.is_ready:
            self.refresh_view()
            self.refresh_output()

    @abstractmethod
    def refresh_view(self) -> None:
        """Draws what has changed since the last call."""

    def output_pane(self) -> list[Table[Printed]]:
        """For `compose`: a pane, if a command was started."""
        return [self._printed] if self.view.output else []

    def refresh_output(self) -> None:
        """Shows the newest of what was printed."""
        if self.view.output:
            self.set_class(self.view.hides_output, "-silent")
            self._printed.show(self.view.output.lines)


def _printed(item: Printed) -> list[Line]:
    return [[(item.text, "text")]]
