from dataclasses import dataclass
from typing import Any


@dataclass
class HardCase:
    case_id: int
    severity: Any


class CaseBook:
    """Worst patch of each batch, for the radiologist's review list."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.cases = []

    def note(self, case_ids, severities):
        worst = int(severities.argmax())
        case = HardCase(case_id=int(case_ids[worst]), severity=severities[worst])  # <- culprit
        self.cases.append(case)  # <- culprit

    def worst(self):
        ranked = sorted(self.cases, key=lambda case: float(case.severity), reverse=True)
        return ranked[: self.capacity]
