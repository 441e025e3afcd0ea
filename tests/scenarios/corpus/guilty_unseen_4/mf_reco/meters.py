class AverageMeter:
    """Keeps the sample-weighted mean of a quantity since the last reset."""

    def __init__(self, label):
        self.label = label
        self.reset()

    def reset(self):
        self.total = 0.0
        self.weight = 0

    def update(self, value, n=1):
        self.total = self.total + value * n  # <- culprit
        self.weight += n
        return self

    @property
    def mean(self):
        return self.total / max(self.weight, 1)
