from collections import defaultdict


class Mean:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, weight):
        self.sum = self.sum + value * weight  # <- culprit
        self.count += weight

    @property
    def value(self):
        return float(self.sum) / max(self.count, 1)


class Board:
    def __init__(self):
        self.meters = defaultdict(Mean)

    def log(self, tag, value, weight=1):
        self.meters[tag].update(value, weight)

    def summary(self):
        return " ".join(f"{k}={m.value:.3f}" for k, m in sorted(self.meters.items()))
