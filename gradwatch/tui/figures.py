"""The four curves of a job's screen, from its model.

Owns which numbers are drawn, how they are named, and when another curve says more. Must not
know cells, textual or clocks. Pure.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Final

from gradwatch.model import Job
from gradwatch.tui import units
from gradwatch.tui.curves import Axis, Curve, Figure, Limit
from gradwatch.tui.forecast import forecast
from gradwatch.tui.marks import flags
from gradwatch.tui.scale import Range
from gradwatch.tui.timeline import timed, timeline
from gradwatch.tui.zoom import Zoom
from gradwatch_agent import wire

_HELD: Final = 4
"""Spent generations alive at once; innocent jobs were never seen to hold more than 3."""

ALL: Final = Zoom()

_LANE: Final = 0
"""The training thread that is drawn."""


def whole(job: Job) -> Range:
    """All iterations that are remembered."""
    records = job.iterations
    if not len(records):
        return 0.0, 1.0
    first = records[0].number - records[0].count + 1
    return float(first), float(max(records[-1].number, first + 1))


def figures(job: Job, zoom: Zoom = ALL, *, by_time: bool = False) -> tuple[Figure, ...]:
    """What is in sight, or at the crosshair; over iterations, or over time."""
    records = [record for record in job.iterations if record.lane == _LANE]
    span = zoom.shown(whole(job))
    holds = any(record.held >= _HELD for record in records)
    second = _kept(records, span) if holds else _saved(records, span)
    memory = _memory(job, span, ahead=zoom.end is None)
    drawn = (_nodes(records, span), second, memory, _time(records, span))
    flagged = tuple(replace(figure, flags=flags(job), cross=zoom.cross) for figure in drawn)
    crossed = tuple(map(_crossed, flagged))
    line = timeline(job) if by_time else None
    return tuple(timed(figure, line) for figure in crossed) if line else crossed


def _crossed(figure: Figure) -> Figure:
    """With the values at the crosshair in the place of the newest ones."""
    at = figure.cross
    if at is None:
        return figure
    axes = [
        replace(axis, curves=tuple(_told_at(curve, axis, at) for curve in axis.curves))
        for axis in figure.axes
    ]
    return replace(figure, left=axes[0], right=axes[1] if len(axes) > 1 else None)


def _told_at(curve: Curve, axis: Axis, at: float) -> Curve:
    index = bisect_right(curve.xs, at) - 1
    value = (curve.own or curve.ys)[index] if index >= 0 else None
    return replace(curve, now=axis.word(value, 2) if value is not None else units.NOTHING)


def _nodes(records: list[wire.Iteration], span: Range) -> Figure:
    counted = [(r.number, r.reached, r.stale or 0) for r in records if r.reached is not None]
    xs = [number for number, _, _ in counted]
    total = [reached for _, reached, _ in counted]
    new = [reached - stale for _, reached, stale in counted]
    stale = [old for _, _, old in counted]
    stale_now, new_now = (stale[-1], new[-1]) if counted else (None, None)
    # Nothing is drawn of none; its mark in the legend is not to cry.
    ink = "stale" if any(stale) else "muted"
    curves = (
        *_since(xs, total, span),
        Curve("stale", ink, xs, total, "solid", units.tick(stale_now), stale),
        Curve("new", "new", xs, new, "sparse", units.tick(new_now)),
    )
    return Figure("nodes the loss reaches", "nodes", span, Axis(curves), note="not counted yet")


def _saved(records: list[wire.Iteration], span: Range) -> Figure:
    known = [(r.number, r.saved_bytes) for r in records if r.saved_bytes is not None]
    xs, ys = [x for x, _ in known], [y for _, y in known]
    curve = Curve("saved", "saved", xs, ys, now=units.size(ys[-1] if ys else None))
    axis = Axis((*_since(xs, ys, span), curve), units.size)
    return Figure("saved for backward", "saved", span, axis, note="not measured yet")


def _since(xs: list[int], ys: list[int], span: Range) -> tuple[Curve, ...]:
    """From the last count to now nothing is known: the count goes on as a faint trace."""
    if not xs or span[1] - xs[-1] <= 1:
        return ()
    return (Curve("", "faint", (xs[-1], span[1]), (ys[-1], ys[-1]), "dotted"),)


def _kept(records: list[wire.Iteration], span: Range) -> Figure:
    """Instead of saved memory: a held graph is spent, so its tensors are gone, not its nodes."""
    xs = [record.number for record in records]
    alive, held = [record.live for record in records], [record.held for record in records]
    curves = (
        Curve("alive", "new", xs, alive, "sparse", units.tick(alive[-1])),
        Curve("spent", "held", xs, held, "solid", units.tick(held[-1])),
    )
    return Figure("earlier graphs kept alive", "graphs kept", span, Axis(curves))


def _memory(job: Job, span: Range, *, ahead: bool) -> Figure:
    """`ahead`: the newest is in sight, and behind it there may be a forecast."""
    samples = [sample for sample in job.memory if sample.iteration >= 0]
    if not samples:
        return Figure("process memory", "memory", span, Axis(), note="not measured yet")
    device = fullest(samples[-1])
    left, right = _process(samples), _device(samples, device) if device else None
    if ahead:
        left = _with_forecast(job, left, span)
        right = _with_forecast(job, right, span) if right else None
    ends = [curve.xs[-1] for axis in (left, right) if axis for curve in axis.curves[1:]]
    title = "memory of process and device" if device else "process memory"
    shown = span[0], max([span[1], *ends])
    return Figure(title, "memory", shown, left, right, note="not measured in these iterations")


def _with_forecast(job: Job, axis: Axis, span: Range) -> Axis:
    """From where the curve ends towards its limit."""
    curve, limit = axis.curves[0], axis.limits[0].value if axis.limits else None
    coming = forecast(job, curve.xs, curve.ys, limit, span[1] - span[0])
    return replace(axis, curves=(curve, coming)) if coming else axis


def _process(samples: list[wire.Memory]) -> Axis:
    newest = samples[-1]
    curve = Curve(
        "RSS", "rss",
        [sample.iteration for sample in samples], [sample.rss_bytes for sample in samples],
        now=units.part(newest.rss_bytes, newest.limit_bytes),
    )  # fmt: skip
    return Axis((curve,), units.size, _limit("limit", newest.limit_bytes), from_zero=False)


def _device(samples: list[wire.Memory], device: wire.DeviceMemory) -> Axis:
    curve = Curve(
        "GPU", "device",
        [sample.iteration for sample in samples],
        [_used(sample, device.uuid) for sample in samples],
        "dotted",
        units.part(device_bytes(device), device.total_bytes),
    )  # fmt: skip
    return Axis((curve,), units.size, _limit("GPU", device.total_bytes))


def _limit(name: str, value: int | None) -> tuple[Limit, ...]:
    return (Limit(f"{name} {units.size(value)}", value),) if value else ()


def _time(records: list[wire.Iteration], span: Range) -> Figure:
    xs = [record.number for record in records]
    both = [record.duration_s for record in records]
    backward = [record.backward_s for record in records]
    curves = (
        Curve("all", "time", xs, both, now=units.duration(both[-1] if xs else None)),
        Curve("backward", "backward", xs, backward, "dotted",
              units.duration(backward[-1] if xs else None)),
    )  # fmt: skip
    axis = Axis(curves, units.duration, cut_peaks=True)
    return Figure("time of an iteration", "time", span, axis, note="no iteration has ended yet")


def fullest(sample: wire.Memory) -> wire.DeviceMemory | None:
    """The device with the greatest part in use; None if the job has none that is known."""
    known = [device for device in sample.devices if device_bytes(device) is not None]
    return max(known, key=_share, default=None)


def device_bytes(device: wire.DeviceMemory) -> int | None:
    """What is in use on it: by all, as far as the driver tells, else by this process."""
    if device.used_bytes is not None:
        return device.used_bytes
    return device.reserved_bytes if device.reserved_bytes is not None else device.allocated_bytes


def _share(device: wire.DeviceMemory) -> float:
    return (device_bytes(device) or 0) / (device.total_bytes or 1)


def _used(sample: wire.Memory, uuid: str) -> int | None:
    return next((device_bytes(d) for d in sample.devices if d.uuid == uuid), None)
