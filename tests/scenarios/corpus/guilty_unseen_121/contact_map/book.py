"""A very small run book: named series sampled with a stride."""


class RunBook:
    def __init__(self, stride):
        self.stride = stride
        self.ticks = []
        self.series = {}

    def due(self, it):
        return it % self.stride == 0

    def push(self, it, **values):
        self.ticks.append(it)
        for key, val in values.items():
            self._row(key).append(val)  # <- culprit

    def _row(self, key):
        return self.series.setdefault(key, [])

    def summary(self):
        parts = []
        for key, row in self.series.items():
            half = len(row) // 2
            early = sum(float(v) for v in row[:half]) / half
            late = sum(float(v) for v in row[half:]) / (len(row) - half)
            parts.append(f"{key}: {early:.3f} -> {late:.3f}")
        return "; ".join(parts)
