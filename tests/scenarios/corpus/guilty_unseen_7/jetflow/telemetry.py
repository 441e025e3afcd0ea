"""Gradient telemetry shared by the tagger experiments."""
import math
from collections import defaultdict


class Gauge:
    def __init__(self, keep=0.98):
        self.keep, self.level, self.count = keep, 0.0, 0

    def add(self, x):
        if math.isfinite(x):
            self.level = self.keep * self.level + (1 - self.keep) * x
            self.count += 1

    @property
    def value(self):
        return self.level / (1 - self.keep ** max(1, self.count))


class TelemetryMixin:
    """Adds ``watch``: relative gradient size of an intermediate activation."""

    @property
    def gauges(self):
        if "_gauges" not in self.__dict__:
            self.__dict__["_gauges"] = defaultdict(Gauge)
        return self.__dict__["_gauges"]

    def watch(self, label, act):
        if not act.requires_grad:
            return act
        gauge = self.gauges[label]

        def relative(grad):
            gauge.add(float(grad.norm() / (act.norm() + 1e-9)))  # <- culprit

        act.register_hook(relative)  # <- culprit
        return act

    def telemetry(self):
        return "  ".join(f"{k}={g.value:.2e}" for k, g in self.gauges.items())
