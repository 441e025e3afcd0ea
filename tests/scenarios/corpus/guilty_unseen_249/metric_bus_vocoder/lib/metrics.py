from collections import defaultdict


class SeriesStore:
    """Collects named scalars published on the bus."""

    def __init__(self):
        self.series = defaultdict(list)

    def attach(self, bus):
        bus.on("metric", self.record)

    def record(self, name, value, step):
        self.series[name].append((step, value))  # <- culprit

    def tail(self, name, n):
        values = [float(v) for _, v in self.series[name][-n:]]
        return sum(values) / max(len(values), 1)

    def lowest(self, name):
        return min(float(v) for _, v in self.series[name])
