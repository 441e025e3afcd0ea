from dataclasses import dataclass, field


@dataclass
class Meter:
    total: float = 0.0
    weight: int = 0
    best: float = float("inf")

    def add(self, value, n):
        self.total = self.total + value * n  # <- culprit
        self.weight += n

    @property
    def mean(self):
        return float(self.total) / max(self.weight, 1)


@dataclass
class MeterBoard:
    meters: dict = field(default_factory=dict)

    def push(self, n=1, **values):
        for name, value in values.items():
            self.meters.setdefault(name, Meter()).add(value, n)

    def line(self):
        return "  ".join(f"{k}={m.mean:.4f}" for k, m in sorted(self.meters.items()))
