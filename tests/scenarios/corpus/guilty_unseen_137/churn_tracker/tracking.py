from collections import defaultdict


class RunningMeans:
    """Sample-weighted means over everything seen since construction."""

    def __init__(self):
        self.sums = defaultdict(float)
        self.counts = defaultdict(int)

    def push(self, n, **scalars):
        for name, value in scalars.items():
            self.sums[name] += value * n  # <- culprit
            self.counts[name] += n

    def mean(self, name):
        return float(self.sums[name]) / max(1, self.counts[name])
