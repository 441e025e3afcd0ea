import math


class Spread:
    """Streaming mean and variance."""

    def __init__(self):
        self.count = 0
        self.mean = 0.0
        self.m2 = 0.0

    def push(self, x):
        self.count += 1
        d = x - self.mean
        self.mean = self.mean + d / self.count  # <- culprit
        self.m2 = self.m2 + d * (x - self.mean)  # <- culprit

    def __format__(self, spec):
        sd = math.sqrt(max(float(self.m2), 0.0) / max(self.count - 1, 1))
        return f"{float(self.mean):{spec}} +- {sd:{spec}}"
