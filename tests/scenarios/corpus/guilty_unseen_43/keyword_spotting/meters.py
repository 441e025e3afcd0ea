class Meter:
    def __init__(self):
        self.weighted = 0.0
        self.count = 0

    def add(self, value, n):
        self.weighted = self.weighted + value * n  # <- culprit
        self.count += n

    @property
    def mean(self):
        return float(self.weighted) / max(self.count, 1)


class MeterBank:
    def __init__(self):
        self.meters = {}

    def update(self, n, **values):
        for name, value in values.items():
            self.meters.setdefault(name, Meter()).add(value, n)  # <- culprit

    def line(self):
        return "  ".join(f"{k}={m.mean:.4f}" for k, m in self.meters.items())
