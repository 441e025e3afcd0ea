class Meter:
    unit = ""

    def __init__(self, unit=None):
        self.unit = unit or self.unit
        self.total = 0.0
        self.weight = 0

    def update(self, value, n=1):
        self.total = self.total + value * n  # <- culprit
        self.weight += n


class Average(Meter):
    def read(self):
        return float(self.total) / max(self.weight, 1)

    def __str__(self):
        return f"{self.read():.4f} {self.unit}"
