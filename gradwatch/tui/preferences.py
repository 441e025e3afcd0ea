"""What a user can set: the theme and the bell.

Owns these two and how they are remembered. Must not know jobs' screens.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from textual.app import App, SystemCommand

from gradwatch.model import Job
from gradwatch.tui import facts
from gradwatch.tui.settings import Memory
from gradwatch.tui.theme import CONTRAST, DARK, THEMES
from gradwatch_agent.wire import Finding


class PreferredApp(App[int]):
    """An app that looks and rings as its user left it."""

    def __init__(self, settings: Path | None) -> None:
        self.memory = Memory(settings)
        super().__init__()
        for theme in THEMES.values():
            self.register_theme(theme)
        theme = THEMES.get(self.memory.settings.theme, DARK)
        if theme is DARK and self.console.color_system == "standard":
            theme = CONTRAST  # of 16 colours, those of the dark theme are too few apart
        self.theme = theme.name

    def action_theme(self) -> None:
        """The next theme."""
        names = [theme.name for theme in THEMES.values()]
        at = names.index(self.theme) if self.theme in names else -1
        self.wear(list(THEMES)[(at + 1) % len(names)])

    def wear(self, name: str) -> None:
        """A theme by the name under which it is offered."""
        self.theme = THEMES[name].name
        self.memory.change(theme=name)

    def action_toggle_bell(self) -> None:
        """Rings for critical findings from now on, or no more."""
        is_on = not self.memory.settings.bell
        self.memory.change(bell=is_on)
        self.notify(f"The bell rings for critical findings: {'yes' if is_on else 'no'}.")

    def ring(self, job: Job, finding: Finding, since: float) -> None:
        """For what is raised while somebody looks; what was known before is on the screen."""
        is_new = facts.told_at(finding) >= since and finding.state == "raised"
        if self.memory.settings.bell and is_new and finding.level == "critical":
            self.bell()
            self.notify(f"{job.name}: {finding.message}", severity="error", markup=False)

    def preferences(self) -> Iterable[SystemCommand]:
        """For the palette."""
        yield SystemCommand(
            "Bell", "Ring for critical findings, or no more", self.action_toggle_bell
        )
        for name in THEMES:
            yield SystemCommand(f"Theme: {name}", "Change the colours", partial(self.wear, name))
