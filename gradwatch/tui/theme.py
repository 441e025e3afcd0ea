"""The colours of the dashboard, as Textual's theme variables. Owns nothing else.

Red is only ever a fault, yellow only ever a warning or a second curve: on a healthy screen
nothing calls.
"""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
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
    variables={
        "strong": "#f2f4f8",
        "muted": "#8b919c",
        "faint": "#686e79",
        "limit": "#a87f45",
        "cursor": "#24415c",
        "title-focus": "#2d5478",
        # Bars: dark enough for white letters.
        "bar-good": "#1f6f42",
        "bar-info": "#2d5478",
        "bar-critical": "#b3202b",
        "bar-quiet": "#3a404b",
    },
)

LIGHT: Final = Theme(
    name="gradwatch-light",
    primary="#1f6fb5",
    secondary="#2b7a99",
    accent="#8a5300",
    success="#18843e",  # of 16 colours the nearest is green, no grey
    warning="#9a5b00",
    error="#c4232f",
    foreground="#23272e",
    background="#fbfbfa",
    surface="#eceef0",
    panel="#e0e3e7",
    dark=False,
    variables={
        "strong": "#0b0d10",
        "muted": "#5b6370",
        "faint": "#7d8590",
        "limit": "#8a5a00",
        "cursor": "#cbe0f5",
        "title-focus": "#b5d2ee",
        "bar-good": "#187e36",
        "bar-info": "#2d5478",
        "bar-critical": "#b3202b",
        "bar-quiet": "#5b6370",
    },
)

CONTRAST: Final = Theme(
    name="gradwatch-contrast",
    primary="#5fd7ff",
    secondary="#87ffff",
    accent="#ffff5f",
    success="#5fff87",
    warning="#ffd700",
    error="#ff5f5f",
    foreground="#ffffff",
    background="#000000",
    surface="#121212",
    panel="#262626",
    dark=True,
    variables={
        "strong": "#ffffff",
        "muted": "#d0d0d0",
        "faint": "#b2b2b2",
        "limit": "#ffd787",
        "cursor": "#005f87",
        "title-focus": "#005f87",
        "bar-good": "#005f00",
        "bar-info": "#00005f",
        "bar-critical": "#af0000",
        "bar-quiet": "#444444",
    },
)

THEMES: Final = {"dark": DARK, "light": LIGHT, "high contrast": CONTRAST}
"""By the names under which they are offered."""
