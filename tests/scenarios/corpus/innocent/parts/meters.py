"""Running statistics of numbers, as every training repository has them."""

from collections import defaultdict, deque


class SmoothedValue:
    def __init__(self, window=20):
        self.window = deque(maxlen=window)
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.window.append(value)
        self.total += value * n
        self.count += n

    @property
    def recent(self):
        return sum(self.window) / max(len(self.window), 1)

    @property
    def average(self):
        return self.total / max(self.count, 1)


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **values):
        for name, value in values.items():
            self.meters[name].update(value)

    def __str__(self):
        return "  ".join(f"{k}: {m.recent:.5f} ({m.average:.5f})" for k, m in self.meters.items())
