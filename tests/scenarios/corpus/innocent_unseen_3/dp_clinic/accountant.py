import math
from dataclasses import dataclass, field


@dataclass
class Accountant:
    """a rough moments bookkeeping, one float per order and step"""
    rate: float
    sigma: float
    history: list = field(default_factory=list)

    def spend(self):
        self.history.append(tuple(a * (self.rate / self.sigma) ** 2 for a in (2, 4, 8, 16, 32)))

    def epsilon(self, delta):
        totals = [sum(c) for c in zip(*self.history)]
        return min(t + math.log(1 / delta) / (a - 1) for t, a in zip(totals, (2, 4, 8, 16, 32)))
