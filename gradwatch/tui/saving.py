"""Saving what is on the screen, from any screen of jobs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.css.query import DOMQuery
from textual.widget import Widget

from gradwatch.tui import shot
from gradwatch.tui.preferences import PreferredApp
from gradwatch.tui.screens.live import LiveScreen


class SavingApp(PreferredApp):
    """An app whose screens are saved into `save_to`, by default the working directory."""

    def __init__(
        self, settings: Path | None, clock: Callable[[], float], save_to: Path | None
    ) -> None:
        super().__init__(settings)
        self._clock, self._save_to = clock, save_to

    def action_save(self) -> None:
        """Saves what is on the screen, as a picture and as text; toasts are none of it."""
        toasts = self.screen.query("ToastRack")
        toasts.set(display=False)
        self.screen.call_after_refresh(self._save, toasts)

    def _save(self, toasts: DOMQuery[Widget]) -> None:
        self._write()
        toasts.set(display=True)

    def _write(self) -> None:
        screen = next(s for s in reversed(self.screen_stack) if isinstance(s, LiveScreen))
        name, words = screen.name_to_save, screen.text_to_save
        try:
            path = shot.save(self, self._save_to or Path.cwd(), name, self._clock(), words)
        except OSError as error:
            self.notify(f"Not saved: {error}", severity="error", markup=False)
        else:
            self.notify(f"Saved, as .svg and as .txt:\n{path.stem}", markup=False)
