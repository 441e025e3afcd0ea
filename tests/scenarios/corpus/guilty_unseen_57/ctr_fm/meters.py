"""Streaming mean and variance (Welford), so that no history is stored."""
import math


class Moments:
    def __init__(self):
        self.n = 0
        self.mean = 0.0
        self.m2 = 0.0

    def push(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean = self.mean + delta / self.n  # <- culprit
        self.m2 = self.m2 + delta * (x - self.mean)  # <- culprit

    @property
    def std(self):
        return math.sqrt(float(self.m2) / max(self.n - 1, 1))


class MeterGroup:
    def __init__(self, *names):
        self._meters = {n: Moments() for n in names}

    def __getitem__(self, name):
        return self._meters[name]

    def update(self, **values):
        for name, value in values.items():
            self._meters[name].push(value)  # <- culprit

    def summary(self):
        return " ".join(f"{n} {float(m.mean):.4f}+-{m.std:.4f}" for n, m in self._meters.items())
