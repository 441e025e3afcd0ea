from collections import defaultdict


class MeterBank:
    def __init__(self):
        self.sums = defaultdict(float)
        self.counts = defaultdict(int)

    def update(self, n, **values):
        for name, v in values.items():
            self.sums[name] += v * n  # <- culprit
            self.counts[name] += n

    def avg(self, name):
        return self.sums[name].item() / max(1, self.counts[name])

    def __str__(self):
        return " ".join(f"{k}={self.avg(k):.4f}" for k in self.sums)
