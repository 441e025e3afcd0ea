"""Book-keeping for the weekly review."""
from dataclasses import dataclass
from typing import Any


@dataclass
class Incident:
    step: int
    sensor: int
    error: Any
    typical: float

    @property
    def severity(self):
        return self.error.item() / max(self.typical, 1e-6)


class Auditor:
    def __init__(self, n_sensors):
        self.n_sensors = n_sensors
        self.flagged = []
        self.typical = 1.0

    def review(self, step, per_sensor, closed):
        self.typical = 0.9 * self.typical + 0.1 * per_sensor.median().item()
        if closed is None:
            return
        self._flag(step, closed, per_sensor[closed])  # <- culprit

    def _flag(self, step, sensor, error):
        incident = Incident(step, sensor, error, self.typical)
        self.flagged.append(incident)  # <- culprit

    def headline(self):
        return f"{len(self.flagged)} incidents, typical error {self.typical:.3f}"

    def summary(self, top):
        worst = sorted(self.flagged, key=lambda inc: inc.severity, reverse=True)
        for inc in worst[:top]:
            yield f"  step {inc.step:4d} sensor {inc.sensor:2d} severity {inc.severity:.1f}"
