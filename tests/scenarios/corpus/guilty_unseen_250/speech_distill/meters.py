class SmoothedMeter:
    """Exponentially smoothed scalars for the console."""

    def __init__(self, smoothing):
        self.smoothing = smoothing
        self.smoothed = {}

    def update(self, **scalars):
        for name, value in scalars.items():
            previous = self.smoothed.get(name, value)
            self.smoothed[name] = self.smoothing * previous + (1 - self.smoothing) * value  # <- culprit

    def summary(self):
        parts = [f"{name}={float(value):.4f}" for name, value in self.smoothed.items()]
        return " ".join(parts)
