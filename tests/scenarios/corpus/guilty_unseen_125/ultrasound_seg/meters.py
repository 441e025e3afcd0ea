class MetricTracker:
    """Running averages over everything seen since construction."""

    def __init__(self, *names):
        self.sums = {n: 0.0 for n in names}
        self.counts = {n: 0 for n in names}

    def update(self, name, value, n=1):
        self.sums[name] = self.sums[name] + value * n  # <- culprit
        self.counts[name] += n

    def avg(self, name):
        return float(self.sums[name]) / max(1, self.counts[name])

    def __str__(self):
        return "  ".join(f"{k}={self.avg(k):.4f}" for k in self.sums)
