from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass
class Measurement:
    year: int
    modelled: Any
    observed: Any
    registry: ClassVar[list] = []

    def __post_init__(self):
        self.registry.append(self)  # <- culprit

    def gap(self):
        return abs(self.modelled.item() - self.observed.item())


def summary(last):
    recent = Measurement.registry[-last:]
    return f"mean gap {sum(m.gap() for m in recent) / len(recent):.3f}"
