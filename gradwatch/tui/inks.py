"""The inks in colour, looked up once for the whole app.

Owns the colours' names in the .tcss. Textual styles component classes anew with every node that
declares them: declared by each screen, they were most of what opening one took.
"""

from __future__ import annotations

from typing import ClassVar, TypeVar

from rich.style import Style
from textual.app import App

from gradwatch.tui.lines import INKS

_Result = TypeVar("_Result")


class InkedApp(App[_Result]):
    """An app that can draw in all inks."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"ink--{ink}" for ink in INKS}

    def __init__(self) -> None:
        self._inks: dict[str, Style] = {}
        super().__init__()

    def notify_style_update(self) -> None:
        """Another theme."""
        self._inks.clear()
        super().notify_style_update()

    def ink(self, name: str) -> Style:
        """How an ink looks, but for the background it leaves open; `a+b` is b laid over a."""
        if name not in self._inks:
            base, _, over = name.partition("+")
            style = self.get_component_styles(f"ink--{base}").partial_rich_style
            self._inks[name] = style + self.ink(over) if over else style
        return self._inks[name]
