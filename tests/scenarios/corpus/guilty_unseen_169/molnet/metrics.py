class Running:
    """Weighted mean over everything seen since the last reset."""

    def __init__(self, lifetime=False):
        self.lifetime = lifetime
        self.reset()

    def reset(self):
        self.total, self.weight = 0.0, 0

    def measure(self, value):
        return value  # <- culprit

    def update(self, value, n):
        self.total = self.total + self.measure(value) * n  # <- culprit
        self.weight += n

    def compute(self):
        return self.total / max(self.weight, 1)


class WeightedLoss(Running):
    def measure(self, value):
        return value.item()


class MeanAbsolute(Running):
    def measure(self, value):
        pred, target = value
        return (pred - target).abs().mean().detach()
