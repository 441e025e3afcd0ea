import math

from .base import Metric
from .registry import register


@register("mean")
class Mean(Metric):
    def update(self, value):
        self.defer(lambda: float(value))


@register("ratio_db")
class RatioDb(Metric):
    """10 log10(peak^2 / error), averaged."""

    def __init__(self, peak):
        super().__init__()
        self.peak = peak

    def update(self, value):
        peak = self.peak
        self.defer(lambda: 10 * math.log10(peak ** 2 / (float(value) + 1e-12)))  # <- culprit
