from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass
class Pick:
    event: int
    sample: Any
    truth: float

    @property
    def residual(self):
        return abs(float(self.sample) - self.truth)


class Catalog:
    def __init__(self):
        self.rows = []

    def enter(self, event, sample, truth):
        self.rows.append(Pick(event, sample, truth))  # <- culprit

    def median_residual(self, last):
        return median(r.residual for r in self.rows[-last:])
