"""What the screens that show jobs have in common.

Owns the call by which the app makes them draw. Must not know where events come from.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from textual.screen import Screen

from gradwatch.model import Job
from gradwatch.tui.widgets.canvas import INK_CLASSES


@dataclass(slots=True)
class View:
    """What there is to be shown. The app owns and changes it; screens only read."""

    jobs: dict[str, Job]
    now: float = 0.0
    """Seconds since the epoch; stands still while paused."""
    started: float = 0.0
    paused: bool = False
    order: str = "top finding"
    """The column by which the table of jobs is sorted."""


class LiveScreen(Screen[Any]):
    """A screen that is told when there may be something new.

    What is abstract here mypy sees to: a screen's metaclass is textual's own.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = set(INK_CLASSES)
    KEYS: ClassVar[tuple[str, tuple[tuple[str, str], ...]]]
    """For the help: a title, and what each key of this screen does."""

    def __init__(self, view: View) -> None:
        super().__init__()
        self.view = view
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

    def on_screen_resume(self) -> None:
        """Something may have come while another screen lay over this one."""
        if self.is_ready:
            self.refresh_view()

    @abstractmethod
    def refresh_view(self) -> None:
        """Draws what has changed since the last call."""
