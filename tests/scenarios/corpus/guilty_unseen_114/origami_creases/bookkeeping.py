from dataclasses import dataclass
from typing import Any


@dataclass
class Tally:
    """Totals over a folding session, for the report at the end."""

    folds: int = 0
    energy: Any = 0.0
    stiffest: float = 0.0

    def add(self, bend, stiffness):
        self.folds += 1
        self.energy = self.energy + bend.sum()  # <- culprit
        self.stiffest = max(self.stiffest, float(stiffness))

    def mean_energy(self):
        return self.energy.item() / max(1, self.folds)
