"""Metric boards: plug-ins that listen to the bus and print a table."""
from collections import defaultdict

BOARDS = {}


def board(tag):
    def deco(cls):
        BOARDS[tag] = cls
        return cls
    return deco


class Board:
    topics: tuple = ()

    def __init__(self, bus):
        for t in self.topics:
            bus.subscribe(t, getattr(self, "when_" + t.replace(".", "_")))


@board("throughput")
class Throughput(Board):
    topics = ("step.done",)

    def __init__(self, bus):
        super().__init__(bus)
        self.rows = 0

    def when_step_done(self, step, rows, **_):
        self.rows += rows
        if step % 100 == 99:
            print(f"  [throughput] {self.rows} windows seen")


@board("pinball")
class PinballBoard(Board):
    """Mean pinball loss for each quantile and day type."""
    topics = ("step.done", "season.closed")

    def __init__(self, bus):
        super().__init__(bus)
        self._cells = defaultdict(list)

    def when_step_done(self, step, day_kind, per_quantile, **_):
        for q, value in per_quantile.items():
            self._cells[day_kind, q].append(value)  # <- culprit
        if step % 60 == 59:
            row = {f"{d}/{q:g}": round(float(sum(v[-20:]) / len(v[-20:])), 4) for (d, q), v in sorted(self._cells.items())}
            print(f"  [pinball] {row}")

    def when_season_closed(self, **_):
        for (d, q), vals in sorted(self._cells.items()):
            print(f"season {d:8s} q={q:g}: {sum(float(v) for v in vals) / len(vals):.4f}")
        self._cells.clear()
