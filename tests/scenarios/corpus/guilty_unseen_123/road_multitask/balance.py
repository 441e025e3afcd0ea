import math
from dataclasses import dataclass, field


@dataclass
class DescentWeigher:
    tasks: tuple
    temperature: float = 2.0
    past: dict = field(init=False)
    weights: dict = field(init=False)

    def __post_init__(self):
        self.past = {t: [] for t in self.tasks}
        self.weights = {t: 1.0 for t in self.tasks}

    def _refresh(self):
        rates = {}
        for t in self.tasks:
            seq = self.past[t]
            rates[t] = float(seq[-1].detach() / seq[-2].detach()) if len(seq) > 1 else 1.0
        z = {t: math.exp(min(r, 5.0) / self.temperature) for t, r in rates.items()}
        norm = sum(z.values())
        self.weights = {t: round(len(z) * v / norm, 3) for t, v in z.items()}

    def combine(self, losses):
        self._refresh()
        for t, value in losses.items():
            self.past[t].append(value)  # <- culprit
        return sum(self.weights[t] * losses[t] for t in self.tasks)
