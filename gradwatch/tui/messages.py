"""What widgets and screens tell each other. Owns only the messages."""

from __future__ import annotations

from textual.message import Message
from textual.widget import Widget

from gradwatch.model import Job
from gradwatch_agent.wire import Finding


class _OfTable(Message):
    """A table speaks of one of its items."""

    def __init__(self, table: Widget, item: object) -> None:
        super().__init__()
        self.table = table
        self.item = item

    @property
    def control(self) -> Widget:
        """The table, for `on(..., "#id")`."""
        return self.table


class Asked(Message):
    """A finding of a job is to be explained; without one, the job's top finding."""

    def __init__(self, job: Job, finding: Finding | None) -> None:
        super().__init__()
        self.job = job
        self.finding = finding


class Moved(_OfTable):
    """The cursor went to another item."""


class Headed(_OfTable):
    """A column's title was clicked; the item is the column."""


class Chosen(_OfTable):
    """An item is meant: by a key of the screen, or a double click."""
