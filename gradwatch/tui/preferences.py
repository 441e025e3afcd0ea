"""What a user can set: the theme, the bell, notifications on the desktop.

Owns these and how they are remembered. Must not know jobs' screens.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from textual.app import SystemCommand
from textual.filter import LineFilter

from gradwatch.model import Job
from gradwatch.tui import facts
from gradwatch.tui.desktop import notification
from gradwatch.tui.inks import InkedApp
from gradwatch.tui.plain import Plain
from gradwatch.tui.settings import Memory
from gradwatch.tui.theme import CONTRAST, DARK, THEMES
from gradwatch.tui.verdict import title_of
from gradwatch_agent.wire import Finding


class PreferredApp(InkedApp[int]):
    """An app that looks and rings as its user left it."""

    def __init__(self, settings: Path | None) -> None:
        self.memory = Memory(settings)
        super().__init__()
        self._plain = (Plain(),)
        for theme in THEMES.values():
            self.register_theme(theme)
        theme = THEMES.get(self.memory.settings.theme, DARK)
        if theme is DARK and self.console.color_system == "standard":
            theme = CONTRAST  # of 16 colours, those of the dark theme are too few apart
        self.theme = theme.name

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colour where the user has none."""
        return self._plain if self.no_color else super().get_line_filters()

    def action_theme(self) -> None:
        """The next theme."""
        names = [theme.name for theme in THEMES.values()]
        at = names.index(self.theme) if self.theme in names else -1
        self.wear(list(THEMES)[(at + 1) % len(names)])

    def wear(self, name: str) -> None:
        """A theme by the name under which it is offered; none is remembered that cannot be seen."""
        if self.no_color:
            self.notify("NO_COLOR is set: no theme has a colour.")
            return
        self.theme = THEMES[name].name
        self.memory.change(theme=name)

    def action_toggle_bell(self) -> None:
        """Rings for critical findings from now on, or no more."""
        is_on = not self.memory.settings.bell
        self.memory.change(bell=is_on)
        self.notify(f"The bell rings for critical findings: {'yes' if is_on else 'no'}.")

    def action_toggle_desktop(self) -> None:
        """Notifies on the desktop from now on, or no more."""
        is_on = not self.memory.settings.desktop
        self.memory.change(desktop=is_on)
        self.notify(f"Critical findings are told on the desktop: {'yes' if is_on else 'no'}.")
        if is_on:
            self.tell_desktop("gradwatch", "Critical findings will be told here.")

    def ring(self, job: Job, finding: Finding, before: Finding | None, since: float) -> None:
        """For what becomes critical while somebody looks; what was so before is on the screen."""
        settings = self.memory.settings
        if facts.told_at(finding) < since or not _is_alarm(finding):
            return
        if (before is not None and _is_alarm(before)) or job.hushed(finding):
            return
        if settings.bell:
            self.bell()
            self.notify(f"{job.name}: {finding.message}", severity="error", markup=False)
        if settings.desktop:
            self.tell_desktop(f"{job.name}: {title_of(finding)}", finding.message)

    def tell_desktop(self, title: str, text: str) -> None:
        """Through the terminal, for the desktop may be another machine's."""
        # As Textual's own bell does; there is no public way for a code of one's own.
        if self._driver is not None:
            self._driver.write(notification(title, text, os.environ))

    def preferences(self) -> Iterable[SystemCommand]:
        """For the palette."""
        yield SystemCommand(
            "Bell", "Ring for critical findings, or no more", self.action_toggle_bell
        )
        yield SystemCommand(
            "Desktop notifications",
            "Tell critical findings on the desktop, or no more",
            self.action_toggle_desktop,
        )
        for name in THEMES:
            yield SystemCommand(f"Theme: {name}", "Change the colours", partial(self.wear, name))


def _is_alarm(finding: Finding) -> bool:
    return finding.level == "critical" and finding.state != "resolved"
