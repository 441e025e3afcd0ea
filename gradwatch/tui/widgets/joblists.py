"""The lists of a job's screen side by side: findings, nodes by type, backward passes.

Owns the three tables and which finding is chosen. Must not know how rows are worded, nor what lies
around them.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from textual.app import ComposeResult
from textual.containers import Grid

from gradwatch.model import Job
from gradwatch.tui import rows
from gradwatch.tui.widgets.table import Table
from gradwatch_agent import wire


class JobLists(Grid):
    """`job` gives the job as it is to be shown."""

    def __init__(self, job: Callable[[], Job], *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._findings: Table[wire.Finding] = Table(
            rows.FINDINGS,
            lambda finding: rows.finding_cells(job(), finding),
            key=attrgetter("id", "kind"),
            id="findings",
            empty="none so far",
            one_click=True,
        )
        self._types = Table(
            rows.type_columns(rows.TypeCount()),
            rows.type_cells,
            key=attrgetter("name"),
            id="types",
            empty="not counted yet",
        )
        self._backwards: Table[wire.Backward] = Table(
            rows.BACKWARDS,
            lambda call: rows.backward_cells(job(), call),
            key=attrgetter("at", "iteration"),
            id="backwards",
            empty="no backward yet",
        )
        self._job = job

    def compose(self) -> ComposeResult:
        """Findings first."""
        yield from (self._findings, self._types, self._backwards)

    @property
    def chosen(self) -> wire.Finding | None:
        """The finding under the cursor, while the cursor is seen."""
        return self._findings.item if self._findings.has_focus else None

    def show(self, sought: str, upto: float | None, window: int | None) -> None:
        """`sought`: what backward passes are filtered by; `upto`: the iteration whose nodes are
        told, None for the newest; `window`: over how many before it their change is.
        """
        job = self._job()
        found = rows.findings(job)
        self._findings.show(found, rows.finding_columns(job, found))
        calls = rows.backwards(job, sought)
        self._backwards.show(calls, rows.backward_columns(calls))
        counted = rows.types(job, upto, window)
        self._types.show(counted.items, rows.type_columns(counted))

    def show_whole(self) -> None:
        """Scrolls to where the lists are seen whole, if one of them has the focus."""
        if self.has_focus_within:
            self.scroll_visible(animate=False, top=True)

    def enter_backwards(self) -> None:
        """The cursor goes to the backward passes."""
        self._backwards.focus()
