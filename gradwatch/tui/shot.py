"""The screen as a picture and as text.

Owns the one use of Textual's private compositor, and the names of saved files. Must not know
what is on the screen.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from textual.app import App

_NAME_CHARACTERS = 40


def text(app: App[Any]) -> str:
    """What is on the screen, without colours; blanks at the ends of lines are left out."""
    # Textual (seen in 8.2) has no public way to the composed screen but as an SVG.
    strips = app.screen._compositor.render_strips()  # noqa: SLF001
    return "\n".join(strip.text.rstrip() for strip in strips) + "\n"


def save(app: App[Any], directory: Path, name: str, now: float, words: str | None = None) -> Path:
    """Writes `gradwatch-NAME-TIME.svg` and `.txt`; returns the former. Raises OSError.

    `words`: the text to write, if it is more than what is in sight.
    """
    plain = re.sub(r"[^\w.-]+", "_", name)[:_NAME_CHARACTERS]
    moment = datetime.fromtimestamp(now, timezone.utc).astimezone().strftime("%Y%m%d-%H%M%S")
    path = directory / f"gradwatch-{plain}-{moment}.svg"
    path.write_text(app.export_screenshot(title=f"gradwatch: {plain}"), encoding="utf-8")
    path.with_suffix(".txt").write_text(words or text(app), encoding="utf-8")
    return path
