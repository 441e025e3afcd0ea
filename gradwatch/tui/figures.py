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
from gradwatch.tui.devices import device_bytes, fullest
from gradwatch.tui.forecast import forecast
from gradwatch.tui.marks import flags
from gradwatch.tui.past import Each, Nodes, Numbers, Past, Saved
from gradwatch.tui.scale import Range
from gradwatch.tui.timeline import timed, timeline
from gradwatch.tui.zoom import Zoom
from gradwatch_agent import wire

_HELD: Final = 4
"""Spent generations alive at once; innocent jobs were never seen to hold more than 3."""

_UNCOUNTED: Final = 0.05
"""Of what is shown: a last count that is less far back is as good as one of now."""

ALL: Final = Zoom()


def whole(job: Job) -> Range:
    """All iterations that are remembered."""
    records = job.iterations
    if not len(records):
        return 0.0, 1.0
    first = records[0].number - records[0].count + 1
    return float(first), float(max(records[-1].number, first + 1))


def figures(past: Past, zoom: Zoom = ALL, *, by_time: bool = False) -> tuple[Figure, ...]:
    """What is in sight, or at the crosshair; over iterations, or over time."""
    job, each = past.job, past.each
    span = zoom.shown(whole(job))
    holds = max(each.held, default=0) >= _HELD
    second = _kept(past, span) if holds else _saved(past.saved, span)
    memory = _memory(past, span, ahead=zoom.end is None)
    drawn = (_nodes(past.nodes, span), second, memory, _time(each, span))
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
    if not curve.now:  # a trace or a forecast, which was not measured
        return curve
    index = bisect_right(curve.xs, at) - 1
    value = (curve.own or curve.ys)[index] if index >= 0 else None
    return replace(curve, now=axis.word(value, 2) if value is not None else units.NOTHING, brief="")


def _nodes(counts: Nodes, span: Range) -> Figure:
    stale_now, new_now = (counts.stale[-1], counts.new[-1]) if counts.number else (None, None)
    # Nothing is drawn of none; its mark in the legend is not to cry.
    ink = "stale" if any(counts.stale) else "muted"
    xs, total = counts.number, counts.reached
    curves = (
        Curve("stale", ink, xs, total, "solid", units.tick(stale_now), counts.stale),
        Curve("new", "new", xs, counts.new, "sparse", units.tick(new_now)),
        *_since(xs, total, span),
    )
    return Figure("nodes the loss reaches", "nodes", span, Axis(curves), note="not counted yet")


def _saved(known: Saved, span: Range) -> Figure:
    xs, ys = known
    curve = Curve("saved", "saved", xs, ys, now=units.size(ys[-1] if ys else None))
    axis = Axis((curve, *_since(xs, ys, span)), units.size)
    return Figure("saved for backward", "saved", span, axis, note="not measured yet")


def _since(xs: Numbers, ys: Numbers, span: Range) -> tuple[Curve, ...]:
    """From the last count to now nothing is known: the count goes on as a faint trace."""
    if not xs or span[1] - xs[-1] <= max(1, _UNCOUNTED * (span[1] - span[0])):
        return ()
    return (Curve("last count", "faint", (xs[-1], span[1]), (ys[-1], ys[-1]), "dotted"),)


def _kept(past: Past, span: Range) -> Figure:
    """Instead of saved memory: a held graph is spent, so its tensors are gone, not its nodes."""
    xs, alive, held, *_ = past.each
    least = "≥ " if past.job.iterations[-1].count > 1 else ""  # some went by unseen
    curves = (
        Curve("alive", "new", xs, alive, "sparse", least + units.tick(alive[-1])),
        Curve("spent", "held", xs, held, "solid", least + units.tick(held[-1])),
    )
    return Figure("earlier graphs kept alive", "graphs kept", span, Axis(curves))


def _memory(past: Past, span: Range, *, ahead: bool) -> Figure:
    """`ahead`: the newest is in sight, and behind it there may be a forecast."""
    if not past.process.number:
        return Figure("process memory", "memory", span, Axis(), note="not measured yet")
    newest = past.job.memory[-1]
    device = fullest(newest)
    left, right = _process(past, newest), _device(past, device) if device else None
    if ahead:
        left = _with_forecast(past.job, left, span)
        right = _with_forecast(past.job, right, span) if right else None
    ends = [curve.xs[-1] for axis in (left, right) if axis for curve in axis.curves[1:]]
    title = "memory of process and device" if device else "process memory"
    shown = span[0], max([span[1], *ends])
    return Figure(
        title, "memory", shown, left, right, note="not measured in these iterations",
        end="forecast to" if shown[1] > span[1] else "",
    )  # fmt: skip


def _with_forecast(job: Job, axis: Axis, span: Range) -> Axis:
    """From where the curve ends towards its limit."""
    curve, limit = axis.curves[0], axis.limits[0].value if axis.limits else None
    coming = forecast(job, curve.xs, curve.ys, limit, span[1] - span[0])
    return replace(axis, curves=(curve, coming)) if coming else axis


def _process(past: Past, newest: wire.Memory) -> Axis:
    xs, ys = past.process
    now, brief = units.part(newest.rss_bytes, newest.limit_bytes), units.size(newest.rss_bytes)
    curve = Curve("RSS", "rss", xs, ys, now=now, brief=brief)
    return Axis((curve,), units.size, _limit("limit", newest.limit_bytes), from_zero=False)


def _device(past: Past, device: wire.DeviceMemory) -> Axis:
    xs, ys = past.device(device.uuid)
    now = units.part(device_bytes(device), device.total_bytes)
    curve = Curve("GPU", "device", xs, ys, "dotted", now)
    return Axis((curve,), units.size, _limit("GPU", device.total_bytes))


def _limit(name: str, value: int | None) -> tuple[Limit, ...]:
    return (Limit(f"{name} {units.size(value)}", value),) if value else ()


def _time(each: Each, span: Range) -> Figure:
    xs, both, backward = each.number, each.duration, each.backward
    curves = (
        Curve("all", "time", xs, both, now=units.duration(both[-1] if xs else None)),
        Curve("backward", "backward", xs, backward, "dotted",
              units.duration(backward[-1] if xs else None)),
    )  # fmt: skip
    axis = Axis(curves, units.duration, cut_peaks=True)
    return Figure("time of an iteration", "time", span, axis, note="no iteration has ended yet")
