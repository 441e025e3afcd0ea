import math
from dataclasses import dataclass


@dataclass(frozen=True)
class TemperatureSchedule:
    start: float
    end: float
    steps: int

    def __call__(self, it: int) -> float:
        frac = min(it / self.steps, 1.0)
        return math.exp((1 - frac) * math.log(self.start) + frac * math.log(self.end))
