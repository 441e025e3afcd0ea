"""Numbers as a person reads them: `3.1 k`, `48 MB`, `92 ms`, `0.4 %`, `2 min`.

Owns how a quantity is worded and how an axis is divided. Must not know what the quantity
means, textual or the model. Pure. Bytes are decimal everywhere: 1 MB is 1,000,000 bytes.
A number that cannot be shown (None, NaN, infinite) is a dash.
"""

from __future__ import annotations

import math
from datetime import datetime, timezone
from typing import Final, TypeGuard

NOTHING: Final = "–"

_COUNT: Final = ("", " k", " M", " G", " T", " P", " E")
_BYTES: Final = (" B", " kB", " MB", " GB", " TB", " PB", " EB")
_BELOW_SECOND: Final = ((1.0, " s"), (1e-3, " ms"), (1e-6, " µs"), (1e-9, " ns"))

_MINUTE_S: Final = 60.0
_HOUR_S: Final = 3_600.0
_DAY_S: Final = 86_400.0
_LONGEST_S: Final = 365 * _DAY_S
"""Beyond a year a duration is a broken number, not news."""

_TELL_APART: Final = 8
"""Parts of a span whose moments are to have words of their own: three labels and a crosshair."""
_MOST_DECIMALS: Final = 6

_MOST_SHARE: Final = 9.99
"""Beyond it a share is a broken number; shown as 999 %."""
_DECIMALS: Final = 4

_TOPS: Final = (1.0, 1.2, 1.6, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Of an axis from 0: their halves need no more than two digits either."""
_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
"""Between the labels of an axis from anywhere."""


def whole(value: float | None) -> str:
    """Every digit: `3,110`."""
    if not _finite(value):
        return NOTHING
    return f"{round(value):,}" if abs(value) < 1e15 else count(value)


def count(value: float | None, digits: int = 2) -> str:
    """A plain number, SI prefix from ten thousand on: `14`, `3,110`, `31 k`."""
    if not _finite(value):
        return NOTHING
    if abs(value) < 10_000 and float(value).is_integer():
        return f"{value:,.0f}"
    return _scaled(value, _COUNT, digits)


def about(value: int) -> str:
    """A count of which only the first two digits are known: `1,200`."""
    power = 10 ** max(len(str(abs(value))) - 2, 0)
    return count(value // power * power)


def tick(value: float | None, digits: int = 2) -> str:
    """A plain number where room is scarce: `3.1 k`."""
    return _scaled(value, _COUNT, digits) if _finite(value) else NOTHING


def whole_tick(value: float, digits: int = 2) -> str:
    """The same for what comes in whole numbers alone: nothing for half a node."""
    return "" if abs(value) < 10 and value % 1 else tick(value, digits)


def size(value: float | None, digits: int = 2) -> str:
    """Bytes: `48 MB`, `3.1 GB`."""
    if not _finite(value):
        return NOTHING
    return _scaled(value if abs(value) >= 1_000 else round(value), _BYTES, digits)


def part(value: float | None, of: float | None) -> str:
    """Bytes used of bytes there are: `41/80 GB`, `48 MB/64 GB`."""
    if not _finite(of) or not _finite(value) or of <= 0:
        return size(value)
    used, whole_size = size(value), size(of)
    unit = whole_size.partition(" ")[2]
    return f"{used.removesuffix(f' {unit}')}/{whole_size}"


def duration(seconds: float | None, digits: int = 2) -> str:
    """A length of time: `92 ms`, `1.5 s`, `2 min`, `3 h 10 min`."""
    if not _finite(seconds):
        return NOTHING
    if seconds < 0:
        return f"-{duration(-seconds, digits)}"
    if seconds >= _MINUTE_S - 0.5:
        return _long(seconds)
    for unit_s, suffix in _BELOW_SECOND:
        if seconds >= unit_s * 0.9995:
            return f"{_digits(seconds / unit_s, digits)}{suffix}"
    return "0 s"


def moment(seconds: float | None, span: tuple[float, float]) -> str:
    """A time after the start, as finely as moments between two ends need: `1:09`, `19.7 s`, `2 h`.

    All within the same span are told in the same way.
    """
    first, last = span
    if not (_finite(seconds) and _finite(last - first)) or last >= _LONGEST_S:
        return duration(seconds)
    finest = (last - first) / _TELL_APART
    if last >= _MINUTE_S and finest >= (_MINUTE_S if last < _DAY_S else _HOUR_S):
        return duration(seconds)
    decimals = next((n for n in range(_MOST_DECIMALS) if 10.0**-n <= finest), _MOST_DECIMALS)
    if last < _MINUTE_S:
        return f"{seconds:.{decimals}f} s"
    return _on_clock(max(seconds, 0.0), decimals)


def _on_clock(seconds: float, decimals: int) -> str:
    """`1:09`, `1:09.5`, `3:10:07`."""
    minutes, rest = divmod(round(seconds, decimals), _MINUTE_S)
    hours, minutes = divmod(int(minutes), 60)
    before = f"{hours}:{minutes:02}" if hours else f"{minutes}"
    width = 3 + decimals if decimals else 2
    return f"{before}:{rest:0{width}.{decimals}f}"


def share(value: float | None) -> str:
    """A part of one, in percent: `0.4 %`, `99 %`."""
    if not _finite(value):
        return NOTHING
    percent = 100 * min(max(value, -_MOST_SHARE), _MOST_SHARE)
    if 0 < percent < 0.1:
        return "<0.1 %"
    if 0 < percent < 10:
        return f"{percent:.1f}".removesuffix(".0") + " %"
    # All but everything is not everything: 99.97 % of stale nodes leaves one new.
    return f"{min(percent, 99) if percent < 100 else percent:.0f} %"


def rate(per_second: float | None) -> str:
    """Iterations per second: `12.4`, `0.31`, `1.2 k`."""
    if not _finite(per_second):
        return NOTHING
    if per_second >= 1_000:
        return tick(per_second)
    return _digits(per_second, 3 if 1 <= per_second < 100 else 2)


def signed(value: float | None, wording: str) -> str:
    """A change, with its sign: `+500`; `wording` is the number without one."""
    if not _finite(value):
        return NOTHING
    return f"{'+' if value > 0 else '−' if value < 0 else '±'}{wording}"


def clock(at: float) -> str:
    """The local time of day of a moment, `10:42:07`; a dash if it is no moment."""
    try:
        return datetime.fromtimestamp(at, timezone.utc).astimezone().strftime("%H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return NOTHING


def nice_top(value: float) -> float:
    """The smallest round number that is not below `value`; 1 for nothing to show."""
    return _rounded_up(value, _TOPS)


def nice_step(value: float) -> float:
    """The same for a step, whose multiples are to be round too."""
    return _rounded_up(value, _STEPS)


def _rounded_up(value: float, leads: tuple[float, ...]) -> float:
    if not _finite(value) or value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    if power == 0.0 or not math.isfinite(power * 10):
        return value
    # The last digit of a float must not lift a round number to the next one.
    return power * next((lead for lead in leads if lead * power >= value * (1 - 1e-9)), 10.0)


def _scaled(value: float, suffixes: tuple[str, ...], digits: int) -> str:
    """`value` with the suffix that leaves one to three digits before the point."""
    magnitude, index = abs(value), 0
    # 999.6 would be printed as 1000: it belongs to the next suffix already.
    while magnitude >= 999.5 and index < len(suffixes) - 1:
        magnitude, index = magnitude / 1_000, index + 1
    if magnitude >= 999.5:
        return f"{'-' if value < 0 else ''}{magnitude:.0e}{suffixes[index]}"
    text = _digits(magnitude, digits) if index or digits > 2 else _digits(magnitude, 3)
    return f"{'-' if value < 0 else ''}{text}{suffixes[index]}"


def _digits(value: float, digits: int) -> str:
    """At least `digits` significant ones, and never an end of zeros after the point."""
    if value <= 0:
        return "0"
    before = math.floor(math.log10(value)) + 1
    text = f"{value:.{max(0, min(digits - before, _DECIMALS))}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _long(seconds: float) -> str:
    if seconds >= _LONGEST_S:
        return "over a year"
    if seconds >= _DAY_S:
        return f"{seconds // _DAY_S:.0f} d {seconds % _DAY_S // _HOUR_S:.0f} h"
    if seconds >= _HOUR_S:
        return f"{seconds // _HOUR_S:.0f} h {seconds % _HOUR_S // _MINUTE_S:.0f} min"
    return f"{max(1.0, seconds / _MINUTE_S):.0f} min"


def _finite(value: float | None) -> TypeGuard[float]:
    """Whether there is a number to show; ints too big for a float are none."""
    try:
        return value is not None and math.isfinite(value)
    except OverflowError:
        return False
