"""Textual's driver for a page in a browser, which ends with whoever serves it.

Owns nothing else. Named by TEXTUAL_DRIVER in the processes that `gradwatch serve` starts.
"""

from __future__ import annotations

from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp


class PageDriver(WebDriver):
    """Draws to stdout and is told of keys on stdin, in packets."""

    def run_input_thread(self) -> None:
        """Without a server there is nobody to see the page: a killed one says no farewell."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.call_from_thread(self._app.post_message, ExitApp())
