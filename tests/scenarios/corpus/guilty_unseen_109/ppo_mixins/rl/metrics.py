class Welford:
    """Numerically stable running mean and variance."""

    def __init__(self):
        self.n, self.mean, self.m2 = 0, 0.0, 0.0

    def add(self, x):
        self.n += 1
        d = x - self.mean
        self.mean = self.mean + d / self.n  # <- culprit
        self.m2 = self.m2 + d * (x - self.mean)  # <- culprit

    @property
    def std(self):
        return (self.m2 / max(self.n - 1, 1)) ** 0.5


class Registry:
    def __init__(self):
        self.meters = {}

    def __getitem__(self, name):
        return self.meters[name]

    def scalar(self, name, value):
        self.meters.setdefault(name, Welford()).add(value)  # <- culprit

    def report(self):
        for name in sorted(self.meters):
            m = self.meters[name]
            yield f"{name:20s} {float(m.mean):+.5f} +- {float(m.std):.5f} (n={m.n})"


REGISTRY = Registry()
