"""The terminal itself, below textual: whether it is still there.

A dashboard whose terminal is gone and that no signal tells so would read its end for ever, at the
cost of a core.
"""

from __future__ import annotations

import os
import sys


def is_there() -> bool:
    """Whether keys can still come; True where that cannot be asked."""
    try:
        return sys.__stdin__ is None or os.isatty(sys.__stdin__.fileno())
    except (OSError, ValueError):  # closed
        return False
