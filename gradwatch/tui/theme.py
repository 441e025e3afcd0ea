"""The colours of the dashboard, as Textual's theme variables. Owns nothing else.

Red is only ever a fault, yellow only ever a warning or a second curve: on a healthy screen
nothing calls.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

THEME: Final = Theme(
    name="gradwatch",
    primary="#4f9fe0",
    secondary="#79b8d8",
    accent="#e6c07b",
    success="#3fb96f",
    warning="#e5a13a",
    error="#f0555c",
    foreground="#d7dae0",
    background="#0f1115",
    surface="#191c22",
    panel="#23272f",
    dark=True,
)
