"""What will become of memory, as a curve.

Owns the choice of which memory a finding's forecast is about. Must not know plots or widgets.
Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gradwatch.model import Job
from gradwatch.tui import facts
from gradwatch.tui.curves import Curve

_AHEAD: Final = 1 / 3
"""Of what is shown, how far ahead a forecast is drawn at most."""
_LIKE: Final = 3.0
"""A memory whose own slope is off the forecast's by more than this factor is not the one meant."""


def forecast(
    job: Job, xs: Sequence[float], ys: Sequence[float | None], limit: float | None, width: float
) -> Curve | None:
    """From the newest value towards the limit, if a finding says when that will be reached.

    `width`: iterations that are shown.
    """
    left = next((n for f in job.open_findings if (n := facts.left(job, f))), None)
    if not left or not limit:
        return None
    known = [(x, y) for x, y in zip(xs, ys, strict=True) if y is not None]
    if len(known) < 2 or known[-1][1] >= limit:
        return None
    (x0, y0), (x1, y1) = known[len(known) // 2], known[-1]
    slope = (limit - y1) / left
    seen = (y1 - y0) / ((x1 - x0) or 1.0)
    if not slope / _LIKE <= seen <= slope * _LIKE:
        return None
    ahead = min(left, _AHEAD * width)
    return Curve("forecast", "limit", (x1, x1 + ahead), (y1, y1 + slope * ahead), "dashed")
