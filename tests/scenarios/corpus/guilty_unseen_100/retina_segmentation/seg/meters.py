class Meter:
    def __init__(self, fn):
        self.fn = fn
        self.total, self.count = 0.0, 0

    def __call__(self, logits, y):
        n = len(y)
        self.total = self.total + self.fn(logits, y) * n  # <- culprit
        self.count += n

    @property
    def mean(self):
        return float(self.total) / max(self.count, 1)


class MeterSet:
    def __init__(self, **fns):
        self.meters = {k: Meter(f) for k, f in fns.items()}

    def update(self, logits, y):
        for m in self.meters.values():
            m(logits, y)

    def report(self):
        return {k: round(m.mean, 4) for k, m in self.meters.items()}
