"""The line of keys at the bottom: as many as there is room for.

Owns which keys can be left out. What they do is said in the help, too.
"""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.widgets import Footer

_SPARE: Final = ("focus_next", "pause", "order", "zoom(1)")
"""Actions left out on a narrow terminal."""
_LUXURY: Final = ("save", "cross", "output")
"""Those left out on one of middle width already."""


class Keys(Footer):
    """A footer whose keys are marked by how dispensable they are, for the .tcss."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)

    def compose(self) -> ComposeResult:
        """The keys, as they can be pressed or clicked."""
        for widget in super().compose():
            action = getattr(widget, "action", "")
            widget.set_class(action.endswith(_SPARE), "-spare")
            widget.set_class(action.endswith(_LUXURY), "-luxury")
            yield widget
