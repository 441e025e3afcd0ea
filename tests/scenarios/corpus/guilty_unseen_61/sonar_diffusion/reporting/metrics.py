"""Sample-weighted means for the end-of-run report."""


class Mean:
    """Weighted running mean; accepts numbers and zero-dimensional tensors."""

    def __init__(self):
        self.total = 0.0
        self.weight = 0

    def update(self, value, weight=1):
        self.total += value * weight  # <- culprit
        self.weight += weight

    def compute(self) -> float:
        return float(self.total) / max(self.weight, 1)


class Metrics:
    def __init__(self, *names):
        self.meters = {name: Mean() for name in names}

    def update(self, weight, **values):
        for name, value in values.items():
            self.meters[name].update(value, weight)

    def summary(self):
        return {name: meter.compute() for name, meter in self.meters.items()}
